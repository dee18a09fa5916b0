/*
 * test_file.h: the engine's test files, read into memory. Run by simt_test (on the
 * engine) and, for the values alone, by verify/hardware (on a GPU, and again on the engine).
 * Nothing here knows either.
 *
 * Two kinds of file, both valid input for ptxas once read:
 *
 *   *.ptx  a module. Lines that begin with "//:" are directives; the rest is PTX.
 *   *.ops  tables of instructions with operands and results, one case a line; the PTX around them
 *          is made here.
 *
 * Directives of a .ptx file, in this order (types: u8 s8 u16 s16 u32 s32 u64 s64 f32 f64):
 *
 *   //: test NAME                    begins a test; its CTest name is simt.NAME. Names read as
 *                                    sentences.
 *   //: gpu no                       not for a real GPU (faults, counters and bad modules are left
 *                                    out there anyway)
 *   //: one schedule                 only the default schedule: the outcome may differ under
 *                                    another
 *   //: budget N                     warp instructions a launch may execute
 *   //: resident N                   blocks in flight
 *   //: text ... //: end             the lines between are the module of this test, instead of the
 *                                    whole file
 *   //: status bad_ptx [message~"..."]
 *                                    the module must be refused so
 *   //: launch KERNEL [grid=x,y,z] [block=x,y,z] [shared=bytes]
 *
 * and then the kernel's parameters in order, and what else is to hold of this launch:
 *
 *   //: in TYPE[N]: VALUES           a pointer to a buffer that holds these values
 *   //: out TYPE[N] [ulp=U] [abs=A]: VALUES
 *                                    a pointer to a buffer (filled with 0xA5), and what it must
 *                                    hold after
 *   //: inout TYPE[N]: VALUES -> VALUES
 *   //: arg TYPE[N]: VALUES          passed by value ("arg TYPE: VALUE" for one)
 *   //: freed BYTES                  a pointer to an allocation that has been freed
 *   //: set NAME TYPE[N]: VALUES     written to a module variable before the launch (no parameter)
 *   //: variable NAME TYPE[N]: VALUES
 *                                    what a module variable must hold after it (no parameter)
 *   //: status bad_launch|bad_argument [message~"..."]
 *   //: finding KIND [at=L] [other=L] [variable=NAME] [FIELD=N ...] [message~"..."] [advice~"..."]
 *                                    (KIND|KIND: either) must be reported, in every schedule
 *                                    ("sometimes" first: in at least one). L: a mark at the end of
 *                                    a PTX line, "// <A>"; FIELD: line other_line index bytes count
 *                                    lane warp thread block value. Findings not listed fail the
 *                                    test.
 *   //: counter NAME = N             a field of simt_counts
 *   //: line_counter LINE NAME = N   a field of simt_line_counts of that source line
 *   //: printed "..."                exactly, in the default schedule; the same lines in any order
 *                                    in the others
 *   //:    VALUES                    (three or more blanks) continues the list above
 *
 * VALUES: integers (decimal or 0x), floats, 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX (bits), inf -inf nan
 * (as a result: any NaN), ? (any value), FROM..TO and FROM..TO/STEP (a range, both ends included),
 * V*N (N times), and a last "..." that repeats the whole list to the end.
 *
 * A .ops file: "#" comments; "target sm_80" and "version 7.5" before the first test; "test NAME";
 * then
 *
 *   op MNEMONIC TYPE... -> TYPE... [ulp=U] [abs=A] [noimm] [noalias] [noguard]
 *     VALUE... -> VALUE...             one case; at most 64
 *
 * with "pred" as a further type. MNEMONIC may be a quoted text with operands %a0 %a1 .. and %d0 %d1
 * .. and several instructions. Each op becomes several kernels: plain; guarded (some lanes do not
 * take part and must keep their old value); one per operand that can also be the destination; and
 * one with the last operand as an immediate.
 *
 * Failure: test_file_read prints file:line: message on standard error and returns null.
 */
#ifndef SIMT_TEST_FILE_H
#define SIMT_TEST_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum test_type {
    TEST_U8,
    TEST_S8,
    TEST_U16,
    TEST_S16,
    TEST_U32,
    TEST_S32,
    TEST_U64,
    TEST_S64,
    TEST_F32,
    TEST_F64,
    TEST_PRED,
    TEST_TYPES
} test_type;

typedef enum test_match { TEST_EXACT, TEST_ANY, TEST_NAN } test_match;

typedef struct test_values { /* count elements of one type */
    unsigned char *bytes;
    unsigned char *match; /* a test_match each */
    size_t count;
} test_values;

typedef enum test_role {
    TEST_IN,
    TEST_OUT,
    TEST_INOUT,
    TEST_ARG,
    TEST_FREED,
    TEST_SET,
    TEST_VARIABLE
} test_role;

typedef struct test_param {
    test_role role;
    test_type type;
    size_t count;  /* elements; bytes for TEST_FREED */
    char name[64]; /* of the module variable */
    test_values before, after;
    double ulp, abs;           /* tolerance of a float result; 0: the bits must agree */
    unsigned line;             /* of the directive */
    const unsigned *row_lines; /* .ops: the line each element comes from, else null */
} test_param;

typedef struct test_finding {
    char kind[48]; /* how simt_finding_name begins, with _ for blanks; a|b: either */
    bool sometimes;
    unsigned at, other; /* PTX lines; 0: not asked */
    char variable[64], message[128], advice[160];
    struct {
        char name[16];
        int64_t value;
    } field[8];
    unsigned fields, line;
} test_finding;

typedef struct test_counter {
    char name[32];
    unsigned source_line, line;
    uint64_t value;
} test_counter;

typedef struct test_launch {
    char kernel[64], label[160]; /* label: what to call it in a failure */
    unsigned grid[3], block[3], line;
    size_t shared;
    test_param param[32];
    unsigned params;
    test_finding finding[8];
    unsigned findings;
    test_counter counter[24];
    unsigned counters;
    char *printed;                 /* null: not asked */
    char status[16], message[128]; /* "": the launch must be accepted */
} test_launch;

typedef struct test_case {
    char name[128];
    unsigned line, first_line; /* of the directive; of the module text in the file */
    bool gpu, one_schedule;
    uint64_t budget;
    unsigned resident;
    const char *text; /* the module */
    size_t text_bytes;
    char status[16], message[128]; /* of loading the module */
    test_launch *launch;
    unsigned launches, launch_room;
} test_case;

typedef struct test_file test_file;

test_file *test_file_read(const char *path);
void test_file_free(test_file *file);
const char *test_file_path(const test_file *file);
unsigned test_file_cases(const test_file *file);
const test_case *test_file_case(const test_file *file, unsigned index);

size_t test_type_size(test_type type);
const char *test_type_name(test_type type);

/* Does got, the whole buffer, hold what the parameter expects? If not, says so in text: index,
   expected, got. */
bool test_param_agrees(const test_param *param, const void *got, char *text, size_t room);

/* Can a real GPU run it and is there a value to compare? No, where a fault, a refusal or a finding
   is expected. */
bool test_case_suits_gpu(const test_case *c);

/* ---- between test_file.c and test_ops.c ------------------------------------------------------ */

void *test_alloc(test_file *file, size_t bytes); /* zeroed, lives as long as the file */
bool test_fail(const test_file *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
test_case *test_add_case(test_file *file, const char *name, unsigned line);
test_launch *test_add_launch(test_file *file, test_case *c);
bool test_type_from_name(const char *name, size_t length, test_type *type);
/* One value of a type at text; text moves past it. */
bool test_value(const char **text, test_type type, void *value, unsigned char *match);
bool test_read_ops(test_file *file, char *text);

#endif
