/*
 * ptx.h: a PTX module as parsed: variables, functions, and instructions with their operands,
 * nothing decided yet.
 *
 * lex.c turns text into tokens, parse.c tokens into a ptx_module; decode.c reads it. Registers are
 * resolved by scope while parsing, so an operand names a register by its index in the function.
 * Names that are not registers stay strings, since a label or a function may come later. Everything
 * is owned by the module and freed by ptx_free. Source: PTX ISA manual, chapters "Syntax", "State
 * Spaces, Types, and Variables", "Directives".
 */
#ifndef SIMT_PTX_H
#define SIMT_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ptx_type {
    PTX_PRED,
    PTX_B8,
    PTX_B16,
    PTX_B32,
    PTX_B64,
    PTX_B128,
    PTX_NO_TYPE
} ptx_type;
typedef enum ptx_space {
    PTX_GLOBAL,
    PTX_CONST,
    PTX_SHARED,
    PTX_LOCAL,
    PTX_PARAM,
    PTX_GENERIC
} ptx_space;

typedef enum ptx_operand_kind {
    PTX_REG, /* reg; p|q of setp and shfl: reg and reg2 */
    PTX_IMM, /* value: an integer, or the raw bits of a 0f or 0d literal */
    /* name [+ value]: a variable, label, function, or special register such as %tid.x */
    PTX_NAME,
    PTX_ADDRESS, /* [reg + value], [name + value] or [value] */
    PTX_VECTOR,  /* {a, b, ...} */
    PTX_LIST,    /* (a, b, ...) of a call */
    PTX_BLANK    /* _ */
} ptx_operand_kind;

typedef struct ptx_operand {
    ptx_operand_kind kind;
    bool negated;   /* !%p */
    bool is_double; /* a 0d literal */
    int reg, reg2;  /* -1: none */
    int64_t value;
    const char *name;          /* null: none */
    struct ptx_operand *items; /* of a vector or list */
    unsigned item_count;
    const char *at; /* in the text */
} ptx_operand;

enum { PTX_MAX_MODS = 12, PTX_MAX_OPERANDS = 8, PTX_OPERAND_ROOM = 4 };

typedef struct ptx_instr {
    const char *text; /* "setp.lt.u32": opcode with its modifiers, as written */
    const char *op;   /* "setp" */
    const char *mods[PTX_MAX_MODS];
    unsigned mod_count;
    int guard; /* register of @%p, -1: none */
    bool guard_negated;
    ptx_operand *operands; /* room for PTX_OPERAND_ROOM, or operand_count if more; the rest zero */
    unsigned operand_count;
    /* source position: index into ptx_module.files, 1-based line; 0: unknown */
    unsigned file, line;
    bool moved;         /* the compiler has moved it, and says no line: this is the last one's */
    unsigned code_file; /* the file that the code itself stands in, if it was inlined from there */
    unsigned ptx_line;
    /* where it begins in ptx_module.text, guard and all; it goes to the next semicolon */
    const char *at;
} ptx_instr;

typedef struct ptx_label {
    const char *name;
    unsigned instr;
    const char *at;
} ptx_label;

typedef struct ptx_initial {
    size_t offset;
    const char *name;
    int64_t addend;
    unsigned bytes;
} ptx_initial;

typedef struct ptx_var {
    const char *name;
    ptx_space space;
    size_t align, bytes; /* bytes 0: .extern .shared x[] */
    unsigned element;    /* bytes of an element, as declared; for findings: ptx_element */
    bool external;
    bool managed;     /* .attribute(.managed) */
    bool in_register; /* a parameter that the function has as a register of that name */
    uint8_t *data;    /* initial bytes; those from data_bytes on are zero */
    size_t data_bytes;
    ptx_initial *addresses; /* places that hold the address of another variable */
    unsigned address_count;
    const char *at; /* its name in the text */
} ptx_var;

/* What the source called an element: compilers declare their arrays as bytes, with the alignment of
   the element. */
static inline unsigned ptx_element(const ptx_var *v)
{
    return v->element == 1 && v->align <= 8 ? (unsigned)v->align : v->element;
}

/* .branchtargets */
typedef struct ptx_table {
    const char *name;
    const char **labels;
    unsigned count;
} ptx_table;

/* .pragma "unset %f3 sum:12";: the register stands for the variable sum, declared at line 12, which
   has no value here yet. The grader has clang write it; ptxas ignores it. */
typedef struct ptx_unset {
    int reg;
    const char *name;
    unsigned line;
} ptx_unset;

/* .pragma "members s .full 64 8 6 .r.last 112 4 1";: of the struct in the variable s the member
   full lies at byte 64 and has 6 elements of 8 bytes, and so on. The grader writes it in front of
   .version, where nothing can stand that the program brings; elsewhere nothing is made of it. */
typedef struct ptx_member {
    const char *variable, *name; /* name: ".full" */
    size_t offset, bytes, count;
} ptx_member;

/* .pragma "parameters scan d_in d_out n";: what the source calls the kernel's parameters; "?" for
   one without a name. The grader writes it, in front of .version, too. */

/* .loc: what source line the code from instruction `instr` on comes from, and the line that it was
   inlined at; file 0: nowhere */
typedef struct ptx_place {
    unsigned instr, file, line, at_file, at_line;
} ptx_place;

typedef struct ptx_function {
    const char *name;
    bool entry, defined, noreturn;
    ptx_var *params, *results; /* in order */
    unsigned param_count, result_count;
    const char **sources; /* the parameters' names in the source: source_count of them, or fewer */
    unsigned source_count;
    ptx_var *vars; /* .shared, .local and .param declared in the body */
    unsigned var_count;
    ptx_type *regs; /* type of each register, by index */
    unsigned reg_count;
    ptx_instr *instrs;
    unsigned instr_count;
    ptx_label *labels; /* by name */
    unsigned label_count;
    ptx_table *tables;
    unsigned table_count;
    ptx_unset *unset;
    unsigned unset_count;
    ptx_place *places; /* in the order of the code */
    unsigned place_count;
    unsigned max_threads; /* .maxntid product, 0: none */
    unsigned ptx_line;
    bool of_library; /* it stands in a header of CUB or Thrust: ptx_is_library */
} ptx_function;

typedef struct ptx_module {
    const char *name;
    char *text;      /* own copy, NUL-terminated */
    unsigned target; /* of .target sm_75: 75; 0: another one */
    ptx_var *vars;
    unsigned var_count;
    ptx_function *functions;
    unsigned function_count;
    ptx_member *members;
    unsigned member_count;
    const char **files; /* by the index of .file; base names */
    const char **paths; /* the same as the PTX has them */
    unsigned file_count, path_count;
    struct ptx_arena *arena; /* every string and array above */
} ptx_module;

/* Parses bytes of text. On failure returns null and writes "name:line:column: what", the line and a
   caret to error. */
ptx_module *ptx_parse(const char *text, size_t bytes, const char *name, char *error,
                      size_t error_bytes);
void ptx_free(ptx_module *module);

/* The file with that index is a header of CUB or Thrust: it lies in a folder of that name. */
bool ptx_is_library(const ptx_module *module, unsigned file);

size_t ptx_type_bytes(ptx_type type);
/* The type a ".u32" or "f64" names (signedness and float-ness dropped); PTX_NO_TYPE if it names
   none. */
ptx_type ptx_type_named(const char *name);

/* ---- tokens: what lex.c gives parse.c -------------------------------------------------------- */

typedef enum ptx_token_kind {
    PTX_T_END,
    PTX_T_WORD,
    PTX_T_DOT,
    PTX_T_NUMBER,
    PTX_T_STRING,
    PTX_T_PUNCT,
    PTX_T_BAD
} ptx_token_kind;

typedef struct ptx_token {
    ptx_token_kind kind;
    /* in the text; a .word token includes its dot, a string its quotes */
    const char *start;
    size_t length;
    unsigned line;
    bool spaced; /* white space before it */
    /* of a number: a 0f or 0d literal, or one with a decimal point (is_double) */
    bool is_float, is_double;
    uint64_t value;
    const char *why; /* of PTX_T_BAD: what is wrong */
} ptx_token;

/* comment: where one begins that does not end */
typedef struct ptx_lexer {
    const char *at, *end;
    unsigned line;
    const char *comment;
} ptx_lexer;

ptx_token ptx_lex(ptx_lexer *lexer);

#endif
