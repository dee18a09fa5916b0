/*
 * parser.h: what the files of the parser share. reader.c: memory, errors, tokens and types;
 * variable.c: variables; body.c: what stands between the braces of a function; parse.c: the rest.
 * Each uses those before it. Failure: the parse_ functions do not come back but jump to
 * parser.failed, with the message in parser.error.
 */
#ifndef SIMT_PARSER_H
#define SIMT_PARSER_H

#include "ptx/leave.h"

#include "ptx/ptx.h"

enum {
    MAX_NESTING = 8, /* of { } in operands and initial values */
    /* bytes of a device function's parameters and results, and of those it passes on */
    MAX_CALL_PARAMS = 65536,
};

typedef struct scope {
    unsigned first_instr, first_label, first_table;
} scope;

typedef struct reg_decl {
    const char *prefix;
    size_t length;
    bool ranged;
    unsigned first, count, depth;
    unsigned parts; /* 2 or 4 of a vector, which is as many registers side by side; else 1 */
} reg_decl;

typedef struct parser {
    ptx_lexer lexer;
    ptx_token token;      /* the one looked at */
    const char *previous; /* end of the one before it */
    ptx_module *module;
    ptx_function *function;
    reg_decl *decls;
    unsigned decl_count, depth, scope_count, renamed;
    scope *scopes;      /* of { } inside the body, outermost first */
    unsigned reg_room;  /* in function->regs */
    unsigned nesting;   /* of { } and ( ) in the operand being read */
    bool versioned;     /* .version stands before: what follows is the compiler's text */
    const char **named; /* text of "parameters", from the kernel's name on */
    unsigned named_count;
    char *error;
    size_t error_bytes, bytes; /* bytes: of the text */
    jmp_buf failed;
} parser;

/* reader.c: in the module's arena, all zero; text as a string; room for one more element of an
   array that doubles at powers of two */
void *parse_take(parser *p, size_t bytes);
const char *parse_text(parser *p, const char *s, size_t n);
void *parse_push(parser *p, void **array, unsigned *count, size_t size);
#define PUSH(p, array, count)                                                                      \
    ((__typeof__(array))parse_push((p), (void **)&(array), &(count), sizeof *(array)))

/* Of the token looked at: takes it; is it s; takes it if it is s; likewise, or else an error */
void parse_next(parser *p);
bool parse_is(const parser *p, const char *s);
bool parse_accept(parser *p, const char *s);
void parse_expect(parser *p, const char *s);
/* Behind an element of a list: true after a comma, false before what closes the list. */
bool parse_more(parser *p, const char *close);
/* what: as the message says it */
const char *parse_word(parser *p, const char *what);
int64_t parse_integer(parser *p, const char *what);
bool parse_type(parser *p, ptx_type *type); /* false: it is none */
void parse_to_semicolon(parser *p);
void parse_braces(parser *p);

/* "name:line:column: what", the line and a caret: at a token, at a place in the text; and what is
   missing there, or within a statement */
_Noreturn void parse_fail_at(parser *p, const ptx_token *t, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void parse_fail_text(parser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void parse_fail_found(parser *p, const char *at, const char *what);
_Noreturn void parse_fail_expected(parser *p, const char *what);

/* body.c */
void parse_body(parser *p);
unsigned parse_small(parser *p, const char *what);

/* place.c: at the module's end, the source line of every instruction */
void parse_place_all(parser *p);

/* variable.c */
ptx_var parse_variable(parser *p, ptx_space space);
void parse_check_room(parser *p, const ptx_var *vars, unsigned count, ptx_space space, size_t most,
                      const char *what);

#endif
