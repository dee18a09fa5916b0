/*
 * words.c: a dictionary for libFuzzer on standard output: opcodes with their modifiers (ops.def),
 * special registers (special.def), directives and types, one "word" a line.
 */
#include <stdio.h>
#include <string.h>

#include "machine/machine.h"

/* A row's pattern with the first of each choice: setp.lt.{and|or}?.u32 gives setp.lt.and.u32. */
static void print_pattern(const char *pattern)
{
    putchar('"');
    for (const char *s = pattern; *s; s++) {
        if (*s == '|')
            s = strchr(s, '}');
        else if (*s != '{' && *s != '}' && *s != '?')
            putchar(*s);
    }
    puts("\"");
}

int main(void)
{
    static const char *const others[] = {
        ".version 7.5",
        ".target sm_90",
        ".address_size 64",
        ".visible .entry",
        ".extern",
        ".weak",
        ".common",
        ".func",
        ".file 1",
        ".loc 1 2 3",
        ".section",
        ".pragma",
        ".pragma \\\"members s .a 0 4 1\\\";",
        ".pragma \\\"parameters k d_in ? n\\\";",
        ".pragma \\\"unset %r1 sum:12\\\";",
        ".file 1 \\\"a\\\\\\\" } //\\\"",
        ".alias",
        ".reg",
        ".global",
        ".const",
        ".shared",
        ".local",
        ".param",
        ".align",
        ".ptr",
        ".attribute(",
        ".maxntid",
        ".reqntid",
        ".minnctapersm",
        ".maxnreg",
        ".noreturn",
        ".branchtargets",
        ".callprototype",
        "inlined_at",
        "function_name",
        "generic(",
        ".v2",
        ".v4",
        ".pred",
        ".b8",
        ".u8",
        ".s8",
        ".b16",
        ".u16",
        ".s16",
        ".f16",
        ".f16x2",
        ".bf16",
        ".b32",
        ".u32",
        ".s32",
        ".f32",
        ".b64",
        ".u64",
        ".s64",
        ".f64",
        ".b128",
        ".weak",
        ".volatile",
        ".relaxed",
        ".acquire",
        ".release",
        ".acq_rel",
        ".cta",
        ".cluster",
        ".gpu",
        ".sys",
        ".ca",
        ".nc",
        ".shared::cta",
        ".uni",
        ".cc",
        ".ftz",
        ".sat",
        ".approx",
        ".rn",
        "vprintf",
        "malloc",
        "free",
        "__assertfail",
        "@%p1 bra",
        "@!%p1",
        "%r1",
        "%rd1",
        "%p1|%p2",
        "0f3f800000",
        "0d3ff0000000000000",
        "0xffffffff",
        "4294967296",
        "18446744073709551616",
        "2147483647",
        "-1",
        "[%rd1+4]",
        "{%r1, %r2}",
        "(retval0), f, (param0)",
        "/*",
        "*/",
        "//",
        "{",
        "}",
        ";",
        "L1:",
    };
    for (size_t i = 0; i < op_row_count; i++)
        print_pattern(op_rows[i].pattern);
#define SPECIAL(id, name) puts("\"" name "\"");
#include "code/special.def"
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        printf("\"%s\"\n", others[i]);
    return 0;
}
