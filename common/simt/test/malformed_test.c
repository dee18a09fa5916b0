/*
 * malformed_test.c: PTX that is wrong in one place: what the refusal says, and where. Each row: a
 * text, the place (line:column, from 1) and the reason. A text that begins with a tab stands in the
 * body of a kernel, whose first line is line 1. The refusal must be "name:line:column: reason",
 * that line of the text, and a caret under that column.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt.h"

typedef struct row {
    const char *text, *place, *reason;
} row;

#define HEAD ".version 7.5\n.target sm_75\n.address_size 64\n" /* three lines */

static const row rows[] = {
    /* tokens */
    { "\tmov.u32 %r1, `5;", "1:15", "no place in PTX" },
    { "\tmov.u32 %r1, 12ab;", "1:15", "not a digit" },
    { "\tmov.u32 %r1, 0xfg;", "1:15", "not a digit" },
    { "\tmov.u32 %r1, 0b12;", "1:15", "not a digit" },
    { "\tmov.u32 %r1, 089;", "1:15", "not a digit" },
    { "\tmov.u64 %d1, 18446744073709551616;", "1:15", "64 bits" },
    { "\tmov.u64 %d1, 0x10000000000000000;", "1:15", "64 bits" },
    { "\tmov.f32 %r1, 0f3f80000g;", "1:15", "not a digit" },
    { "\tret; /* and so on", "1:7", "comment" },
    { ".file 1 \"name.cu\n", "1:9", "string that does not end" },
    { ".file 1 \"name\\\" } //.cu\n", "1:9", "string that does not end" },
    /* the module */
    { "", "1:1", "empty" },
    { "// nothing but a comment\n", "2:1", "empty" },
    { "int main(void) { return 0; }", "1:1",
      "expected a directive such as .visible, .entry or .global, found 'int'" },
    { HEAD ".frobnicate 3\n", "4:1", "directive '.frobnicate'" },
    { ".version seven\n", "1:10", "expected a PTX version such as 7.5, found 'seven'" },
    { ".target 75\n", "1:9", "expected a target such as sm_75, found '75'" },
    { ".address_size 32\n", "1:15", "64-bit" },
    { ".address_size\n.visible .entry k() { ret; }\n", "1:14",
      "expected an address size, found '.visible'" },
    { ".file 99999 \"a.cu\"\n", "1:7", "65535" },
    { ".file 1 a.cu\n", "1:9", "expected a file name in quotes, found 'a'" },
    { ".section .debug_str {\n.b8 1\n", "1:21", "not closed" },
    { ".section .debug_str\n", "1:20", "expected '{', but the text ends here" },
    { ".pragma \"nounroll\"\n", "1:19", "expected ';', but the text ends here" },
    /* variables */
    { ".global .align 3 .b8 x[4];\n", "1:16", "power of two" },
    { ".global .align 0 .b8 x[4];\n", "1:16", "power of two" },
    { ".global .align 512 .b8 x[4];\n", "1:16", "more than 256 bytes" },
    { ".shared .align 131072 .b8 x[4];\n", "1:16", "more than 65536 bytes" },
    { ".const .b8 x[65000];\n.const .b8 y[600];\n", "2:12",
      "__constant__ variables of this file take more than the 65536 bytes" },
    { ".global x;\n", "1:9", "expected a type such as .b32 or .u64, found 'x'" },
    { ".global .b7 x;\n", "1:9", "expected a type such as .b32 or .u64, found '.b7'" },
    { ".global .pred x;\n", "1:9", "predicate" },
    { ".global .b32;\n", "1:13", "expected a variable name, found ';'" },
    { ".global .b32 x\n.global .b32 y;\n", "1:15", "expected ';', found '.global'" },
    { ".global .b32 x[2;\n", "1:17", "expected ']', found ';'" },
    { ".global .b32 x[-2];\n", "1:16", "-2 elements" },
    { ".global .b32 x[1.5];\n", "1:16", "a whole number" },
    { ".global .b64 x[18446744073709551615];\n", "1:16", "-1 elements" },
    { ".global .b8 x[99999999999];\n", "1:15", "too large" },
    { ".global .b64 x[1048576][1048576][1048576];\n", "1:25", "too large" },
    { ".global .b32 x[2] = {1, 2, 3};\n", "1:28", "more initial values" },
    { ".global .b32 x[2] = {1 2};\n", "1:24", "expected ',' or '}', found '2'" },
    { ".global .b32 x[] = {1};\n", "1:18", "needs its size" },
    { ".global .b32 x = ;\n", "1:18", "expected an initial value, found ';'" },
    { ".global .b64 x = generic y;\n", "1:26", "expected '(', found 'y'" },
    { ".global .b32 x[2] = {{{{{{{{{1}}}}}}}}};\n", "1:29", "nest too deeply" },
    /* functions */
    { HEAD ".entry\n", "4:7", "expected a function name, but the text ends here" },
    { HEAD ".visible .entry k( { ret; }\n", "4:20", "expected '.param', found '{'" },
    { HEAD ".visible .entry k(.param .u32 a .param .u32 b) { ret; }\n", "4:33",
      "expected ',' or ')', found '.param'" },
    { HEAD ".visible .entry k(.reg .u32 a) { ret; }\n", "4:19",
      "a kernel's parameters are .param" },
    { HEAD ".global .texref t;\n", "4:9", "expected a type" },
    { HEAD ".tex .u64 t;\n", "4:1", "textures and surfaces are not in the engine" },
    { "\tadd.u32 %r1, %r2 + 1, 3;", "1:19", "needs an instruction of its own" },
    { "\t.reg .v2 .b32 v; mov.b32 %r1, v.z;", "1:33", "has no part '.z'" },
    { "\t.reg .v2 .b64 v; ld.u32 %r1, [v];", "1:32", "an address cannot be a vector" },
    { HEAD ".visible .entry k() { .global .b32 g; ret; }\n.visible .entry l() { .global .b32 g; "
           "ret; }\n",
      "5:36", "a second 'g'" },
    { HEAD ".visible .entry k(.param .b8 a[32765]) { ret; }\n", "4:30",
      "the parameters take more than the 32764 bytes" },
    { HEAD ".visible .entry (.param .b32 r) k() { ret; }\n", "4:17", "a kernel has no result" },
    { HEAD ".visible .entry k() .maxntid 32, 64 { ret; }\n", "4:34", "1 to 1024 threads" },
    { HEAD ".visible .entry k() .reqntid 0 { ret; }\n", "4:30", "1 to 1024 threads" },
    { HEAD ".visible .entry k() .maxfrob 3 { ret; }\n", "4:21", "directive '.maxfrob'" },
    { HEAD ".visible .entry k() { ret; }\n.visible .entry k() { ret; }\n", "5:17",
      "'k' is defined twice" },
    { HEAD ".visible .entry k() {\nret;\n", "4:21", "not closed" },
    { HEAD ".visible .entry k()\nret;\n", "4:20", "expected '{', found 'ret'" },
    { HEAD ".visible .entry k() { ret; } }\n", "4:30",
      "expected a directive such as .visible, .entry or .global, found '}'" },
    /* registers */
    { "\t.reg %x;", "1:7", "expected a register type such as .b32 or .pred, found '%x'" },
    { "\t.reg .b256 %x;", "1:7", "register type" },
    { "\t.reg .b32 5;", "1:12", "expected a register name, found '5'" },
    { "\t.reg .b32 %x<-1>;", "1:15", "impossible register count" },
    { "\t.reg .b32 %x<2000000>;", "1:15", "impossible register count" },
    { "\t.reg .b32 %x<1048576>;", "1:23", "more than 1048576 registers" },
    { "\t.reg .b32 %x<4;", "1:16", "expected '>', found ';'" },
    /* statements */
    { "\tmov.u32 %r1, 5\n\tret;", "1:16", "expected ',' or ';', found 'ret'" },
    { "\tmov.u32 %r1 5;", "1:14", "expected ',' or ';', found '5'" },
    { "\tmov.u32 %r1, ;", "1:15", "expected an operand, found ';'" },
    { "\tmov.u32 %r1, -;", "1:16", "expected a number, found ';'" },
    { "\tmov.u32 %r1, %undeclared;", "1:15", "'%undeclared' is not a declared register" },
    { "\tmov.u32 %r99, 1;", "1:10", "'%r99' is not a declared register" },
    { "\tsetp.eq.u32 %p1|%zz, 1, 1;", "1:18", "'%zz' is not a declared register" },
    { "\tand.pred %p1, !5, %p2;", "1:17", "expected a register or a name, found '5'" },
    { "\tand.pred %p1, !here, %p2;", "1:17", "! needs a predicate register" },
    { "\t@%q bra L;", "1:3", "the guard '%q' is not a declared predicate" },
    { "\t@5 bra L;", "1:3", "expected a predicate register, found '5'" },
    { "\tbra NOWHERE;", "1:6", "a branch to 'NOWHERE'" },
    { "\tbra\n\n\tNOWHERE;", "3:2", "a branch to 'NOWHERE'" },
    { "\tL: ret;\n\tL: ret;", "2:2", "the label 'L' stands here a second time" },
    { "\tld.global.u32 %r1, [%d1;", "1:25", "expected ']', found ';'" },
    { "\tld.global.u32 %r1, [];", "1:22", "expected an address" },
    { "\tld.global.u32 %r1, [%d1+%r1];", "1:26", "expected an offset, found '%r1'" },
    { "\tld.global.u32 %r1, [_];", "1:22", "an address cannot be _" },
    { "\ttex.1d.v4.f32.f32 {%r1}, [t, {%r1}];", "1:29", "texture" },
    { "\tld.global.v2.u32 {%r1 %r2}, [%d1];", "1:24", "expected ',' or '}', found '%r2'" },
    { "\tadd.u32 %r1, 1, 1, 1, 1, 1, 1, 1, 1;", "1:36", "more than 8 operands" },
    { "\tadd.a.b.c.d.e.f.g.h.i.j.k.l.m %r1;", "1:29", "more than 12 modifiers" },
    { "\tcall f, ((((((((((%r1))))))))));", "1:19", "nest too deeply" },
    { "\t5;", "1:2", "expected an instruction, a label or a directive, found '5'" },
    { "\tT: .branchtargets ;", "1:20", "expected a label, found ';'" },
    { "\t.loc 1 -1 0", "1:9", "a line number cannot be -1" },
    { "\t.local .b8 x[65537];", "1:13",
      "local variables of this function take more than the 65536 bytes" },
    { "\t.param .b8 x[65537];", "1:13",
      ".param variables of this function take more than the 65536 bytes" },
    { "\t.shared .b32 x", "1:16", "expected ';', found '}'" },
};
enum { ROWS = sizeof rows / sizeof *rows, ROOM = 4096 };

static const char *full_text(const row *r, char *text)
{
    static const char before[] =
        ".visible .entry k(){.reg .pred %p<4>;.reg .b32 %r<4>;.reg .b64 %d<4>;here:\n",
                      after[] = "\n}\n";
    if (*r->text != '\t')
        return r->text;
    snprintf(text, ROOM, "%s%s%s", before, r->text, after);
    return text;
}

static unsigned say(const row *r, const char *what, const char *message)
{
    printf("%s\n  for the text   %s\n  expected       %s: %s\n  got            %s\n", what, r->text,
           r->place, r->reason, message);
    return 1;
}

/* The message's second line is that line of the text; its third has a caret under the column. */
static bool shows(const char *text, const char *message, unsigned line, unsigned column)
{
    for (unsigned n = 1; n < line; n++)
        text = strchr(text, '\n') + 1;
    const char *shown = strchr(message, '\n');
    size_t length = strcspn(text, "\n");
    if (!shown || strncmp(shown + 1, text, length) != 0 || shown[1 + length] != '\n')
        return false;
    const char *caret = shown + length + 2;
    return strlen(caret) == column && caret[column - 1] == '^' &&
           strspn(caret, " \t") == column - 1;
}

static unsigned check(simt_device *d, const row *r)
{
    char text[ROOM], begin[64];
    const char *whole = full_text(r, text);
    unsigned module, line = 0, column = 0;
    if (sscanf(r->place, "%u:%u", &line, &column) != 2)
        return say(r, "a row without a place", "");
    line += *r->text == '\t'; /* the kernel's head is one line */
    if (simt_module_load(d, whole, strlen(whole), "m.ptx", &module) != SIMT_BAD_PTX)
        return say(r, "not refused", simt_error(d));
    const char *message = simt_error(d);
    int n = snprintf(begin, sizeof begin, "m.ptx:%u:%u: ", line, column);
    if (strncmp(message, begin, (size_t)n) != 0)
        return say(r, "another place", message);
    const char *reason = strstr(message, r->reason), *end = strchr(message, '\n');
    if (!reason || reason > end)
        return say(r, "another reason", message);
    return shows(whole, message, line, column)
               ? 0
               : say(r, "the line, or the caret, is not shown", message);
}

/* ---- texts too large for a row --------------------------------------------------------------- */

typedef struct repeated {
    const char *before, *unit, *after;
    unsigned times;
    const char *reason;
} repeated;

static const repeated large[] = {
    { ".global .b32 x[2] = ", "{", "", 200000, "nest too deeply" },
    { ".visible .entry k(){ call f, ", "(", "", 200000, "nest too deeply" },
    { ".visible .entry k(){ .reg .b32 %r1; mov.b64 %r1, ", "{", "", 200000, "nest too deeply" },
    { ".visible .entry k(){", "{", "", 200000, "not closed" },
    { "", ".func a", "", 1, "expected '{'" },
    { ".visible .entry k(){ .reg .b32 ", "%x<1000000>,", "%y;}", 100,
      "more than 1048576 registers" },
    { ".func k(", ".param .b8 a,", ".param .b8 b) {}", 5000, "more than 4096 parameters" },
    { ".visible .entry k(.param .b8 a[32764]", ",.param .b8 b[32764]", ") {}", 100,
      "the parameters take more than" },
};

static unsigned check_large(simt_device *d, const repeated *r)
{
    size_t unit = strlen(r->unit), before = strlen(r->before),
           bytes = before + unit * r->times + strlen(r->after);
    char *text = malloc(bytes + 1), *at = text;
    unsigned module;
    if (!text)
        return 1;
    at += sprintf(at, "%s", r->before);
    for (unsigned k = 0; k < r->times; k++)
        at += sprintf(at, "%s", r->unit);
    sprintf(at, "%s", r->after);
    simt_status status = simt_module_load(d, text, bytes, "m.ptx", &module);
    free(text);
    if (status == SIMT_BAD_PTX && strstr(simt_error(d), r->reason))
        return 0;
    printf("%s%s...: expected a refusal with \"%s\", got status %d: %s\n", r->before, r->unit,
           r->reason, (int)status, simt_error(d));
    return 1;
}

/* A line of a thousand columns is shown in part, the caret under its place. */
static unsigned check_long_line(simt_device *d)
{
    char text[1200];
    unsigned module;
    memset(text, ' ', sizeof text);
    memcpy(text + 1000, "frob here", 10);
    (void)simt_module_load(d, text, 1009, "m.ptx", &module);
    const char *message = simt_error(d), *shown = strchr(message, '\n'),
               *caret = shown ? strrchr(message, '\n') + 1 : NULL;
    if (caret && strncmp(message, "m.ptx:1:1001: ", 14) == 0 &&
        strncmp(shown + 1 + (strlen(caret) - 1), "frob", 4) == 0)
        return 0;
    printf("a long line: got %s\n", message);
    return 1;
}

int main(void)
{
    simt_config config = simt_default_config();
    simt_device *d = NULL;
    unsigned failures = 0, module;
    config.memory = 1 << 20;
    if (simt_open(&config, &d) != SIMT_OK)
        return 1;
    for (unsigned k = 0; k < ROWS; k++)
        failures += check(d, &rows[k]);
    for (unsigned k = 0; k < sizeof large / sizeof *large; k++)
        failures += check_large(d, &large[k]);
    failures += check_long_line(d);
    if (simt_module_load(d, "ret;\0ret;", 9, "m.ptx", &module) != SIMT_BAD_PTX ||
        !strstr(simt_error(d), "m.ptx:1:5: a zero byte")) {
        printf("a zero byte: got %s\n", simt_error(d));
        failures++;
    }
    simt_close(d);
    printf("%u malformed texts, %u not refused as they should be\n",
           (unsigned)(ROWS + sizeof large / sizeof *large) + 2, failures);
    return failures != 0;
}
