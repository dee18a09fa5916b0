/*
 * error_advice.c: see error_advice.h. Three tables: names of the C and C++ libraries with the
 * header that declares each, headers that the kit does not have, and words of clang (and nvcc) with
 * what to do.
 */
#define _GNU_SOURCE
#include "error_advice.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 64 };

typedef struct message {
    const char *text, *notes, *end; /* the error's line; what follows it */
    char name[NAME_ROOM];           /* the first in quotes; "" for none */
} message;

/* ---- names without their header -------------------------------------------------------------- */

typedef struct header {
    const char *name, *declares; /* names between blanks */
} header;

static const header c_headers[] = {
    { "stdio.h", " printf fprintf sprintf snprintf puts putchar getchar scanf fflush fopen fclose "
                 "FILE stdout stderr stdin EOF " },
    { "stdlib.h", " malloc calloc realloc free exit abort rand srand atoi atof qsort getenv "
                  "RAND_MAX EXIT_SUCCESS EXIT_FAILURE " },
    { "string.h", " memcpy memset memmove memcmp strlen strcmp strcpy strncpy strcat strchr " },
    { "assert.h", " assert " },
    { "math.h", " sqrt sqrtf fabs fabsf pow powf exp expf log logf log2 log2f sin sinf cos cosf "
                "floor floorf ceil ceilf fmax fmaxf fmin fminf round roundf isnan isinf INFINITY "
                "NAN HUGE_VAL HUGE_VALF M_PI " },
    { "limits.h", " INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN "
                  "ULLONG_MAX CHAR_BIT " },
    { "float.h", " FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON " },
    { "stdint.h", " int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t "
                  "uintptr_t SIZE_MAX INT32_MAX INT32_MIN UINT32_MAX INT64_MAX INT64_MIN "
                  "UINT64_MAX " },
    { "stddef.h", " ptrdiff_t offsetof " },
    { "time.h", " time clock clock_t time_t CLOCKS_PER_SEC " },
};

/* in namespace std */
static const header cpp_headers[] = {
    { "iostream", " cout cerr cin endl " },
    { "vector", " vector " },
    { "string", " string to_string " },
    { "array", " array " },
    { "algorithm", " min max sort fill copy swap reverse transform " },
    { "numeric", " accumulate partial_sum inclusive_scan exclusive_scan reduce iota " },
    { "functional", " plus function " },
    { "limits", " numeric_limits " },
    { "memory", " unique_ptr shared_ptr make_unique " },
    { "utility", " pair move " },
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const char *header_of(const header *table, size_t count, const char *name)
{
    char wanted[NAME_ROOM + 2];

    snprintf(wanted, sizeof wanted, " %s ", name);
    for (size_t i = 0; name[0] && i < count; i++)
        if (strstr(table[i].declares, wanted))
            return table[i].name;
    return NULL;
}

/* ---- where the words stand ------------------------------------------------------------------- */

static bool in(const char *from, const char *end, const char *words)
{
    return memmem(from, (size_t)(end - from), words, strlen(words)) != NULL;
}
static bool says(const message *m, const char *words) { return in(m->text, m->notes, words); }
static bool notes(const message *m, const char *words) { return in(m->notes, m->end, words); }

/* The line of the file in the note with these words; 0: there is no such note. */
static unsigned line_of_note(const message *m, const char *file, const char *words)
{
    for (const char *at = m->notes, *next; at < m->end; at = next) {
        next = memchr(at, '\n', (size_t)(m->end - at));
        next = next ? next + 1 : m->end;
        if (strncmp(at, file, strlen(file)) == 0 && at[strlen(file)] == ':' && in(at, next, words))
            return (unsigned)strtoul(at + strlen(file) + 1, NULL, 10);
    }
    return 0;
}

/* Between the first quotes, ' of clang or " of nvcc: a name alone. nvcc: namespace "std" has no
   member "vector". */
static void take_name(message *m)
{
    static const char member[] = "has no member ";
    const char *const inner = memmem(m->text, (size_t)(m->notes - m->text), member, strlen(member)),
                      *const line = inner ? inner : m->text,
                      *const quote = line + strcspn(line, "'\"\n");
    const size_t length = *quote == '\n' || !*quote ? 0 : strcspn(quote + 1, "'\"\n");

    m->name[0] = '\0';
    if (length == 0 || length >= NAME_ROOM)
        return;
    for (size_t i = 1; i <= length; i++)
        if (!isalnum((unsigned char)quote[i]) && quote[i] != '_')
            return;
    snprintf(m->name, sizeof m->name, "%.*s", (int)length, quote + 1);
}

/* ---- what to do ------------------------------------------------------------------------------ */

typedef struct row {
    const char *says, *notes; /* in the error's line; in what follows it, null: whatever */
    const char *name;         /* the name in quotes has to be one of these; null: any, or none */
    const char *advice;       /* %s: that name */
} row;

static const char kernel_from_host[] = "call to __device__ function from __host__ function",
                  host_from_kernel[] = "call to __host__ function from __";

/* The first that fits counts. */
static const row rows[] = {
    { "unknown type name", NULL,
      " _global_ _global __global global _shared_ _shared __shared shared _device_ _device "
      "__device device _host_ ",
      "two underscores before and two after: __global__, __device__, __shared__" },
    { "__shared__ local variables not allowed in __host__", NULL, NULL,
      "only a kernel or a __device__ function has shared memory: is __global__ missing in front of "
      "this function?" },
    { "kernel call to non-global function", NULL, NULL,
      "only a kernel is launched with <<<...>>>: is __global__ missing in front of %s?" },
    { "not configured", NULL, NULL,
      "%s is a kernel: launch it, with %s<<<blocks, threads>>>(...)" },
    { "too few execution configuration arguments", NULL, NULL,
      "a launch names both numbers: kernel<<<blocks, threads>>>(...)" },
    { "invalid operands to binary expression ('void (", NULL, NULL,
      "a kernel is launched with three angle brackets on each side: "
      "kernel<<<blocks, threads>>>(...)" },
    { "no matching function", kernel_from_host, NULL,
      "%s is a __device__ function, and only kernels and __device__ functions call it; if the "
      "function that this line is in is one of yours for kernels, write __device__ in front of "
      "it" },
    { "no matching function", host_from_kernel, NULL,
      "%s runs on the host, and kernels cannot call it; if it is a function of yours, write "
      "__device__ in front of it" },
    { "no matching function", NULL, " cudaMalloc ",
      "cudaMalloc takes the address of the pointer, and bytes: cudaMalloc((void **)&d_x, count * "
      "sizeof *d_x)" },
    { "no matching function", NULL,
      " atomicAdd atomicSub atomicMax atomicMin atomicExch atomicCAS ",
      "%s takes the address of what it changes: %s(&d_x[i], ...)" },
    { "no matching function", NULL, " __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync ",
      "the first argument is the mask of the lanes that take part: %s(0xffffffffu, value, ...)" },
    { "", NULL, " __shfl __shfl_up __shfl_down __shfl_xor ",
      "that function is gone from CUDA: write %s_sync, with the mask of the lanes that take part "
      "in front: %s_sync(0xffffffffu, value, ...)" },
    { "", NULL, " __ballot __any __all ",
      "that function is gone from CUDA: write %s_sync, with the mask of the lanes that take part "
      "in front: %s_sync(0xffffffffu, ...)" },
    { "scanlab_threadIdx", NULL, NULL, "an index has three parts: write threadIdx.x" },
    { "scanlab_blockIdx", NULL, NULL, "an index has three parts: write blockIdx.x" },
    { "scanlab_blockDim", NULL, NULL, "a size has three parts: write blockDim.x" },
    { "scanlab_gridDim", NULL, NULL, "a size has three parts: write gridDim.x" },
    { "builtin functions must be directly called", NULL, NULL,
      "the parentheses are missing: __syncthreads();" },
    { "must have void return type", NULL, NULL,
      "a kernel returns nothing: write void, and let it store its results" },
    { "needs an explicit size or an initializer", NULL, NULL,
      "give the array a size; one that the launch decides is declared as extern __shared__" },
    { "read-only variable is not assignable", NULL, NULL,
      "what is const is only read: is another array meant?" },
    { "function definition is not allowed here", NULL, NULL,
      "is a closing brace } missing above this line, in the function before?" },
    { "extraneous closing brace", NULL, NULL,
      "there is one } more than {: is this one too many, or is a { missing above?" },
    { "with an rvalue of type 'void *'", NULL, NULL,
      "CUDA C is C++ here, which asks for a cast: (float *)malloc(...), say" },
    { "variable-length arrays in __global__", NULL, NULL,
      "the size of a __shared__ array is a constant; one that n decides is declared as extern "
      "__shared__ float s[]; with its bytes as third number of the launch" },
    { "in 'for' statement specifier", NULL, NULL,
      "semicolons part the three pieces of a for: for (int i = 0; i < n; i++)" },
    { "invalid digit 'f' in", NULL, NULL, "a float has a point: 0.0f" },
};

static bool is_one_of(const char *name, const char *names)
{
    char wanted[NAME_ROOM + 2];

    snprintf(wanted, sizeof wanted, " %s ", name);
    return !names || (name[0] && strstr(names, wanted));
}

/* format with the name for each %s */
static void write_advice(const char *format, const char *name, char *advice, size_t room)
{
    size_t used = 0;

    for (const char *hole; used < room; format = hole + 2) {
        hole = strstr(format, "%s");
        if (!hole) {
            snprintf(advice + used, room - used, "%s", format);
            return;
        }
        used += (size_t)snprintf(advice + used, room - used, "%.*s%s", (int)(hole - format), format,
                                 name);
    }
}

static bool advise_row(const message *m, char *advice, size_t room)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        const row *r = &rows[i];
        if (!says(m, r->says) || (r->notes && !notes(m, r->notes)) || !is_one_of(m->name, r->name))
            continue;
        write_advice(r->advice, m->name, advice, room);
        return true;
    }
    return false;
}

/* Without its header a function may still be declared for kernels alone. */
static bool advise_header(const message *m, char *advice, size_t room)
{
    const bool unknown = says(m, "undeclared identifier") || says(m, "unknown type name") ||
                         says(m, "is undefined") ||
                         (says(m, "no matching function") && notes(m, kernel_from_host)),
               in_std = says(m, "in namespace 'std'") || says(m, "namespace \"std\"");
    const char *c = unknown ? header_of(c_headers, COUNT(c_headers), m->name) : NULL,
               *cpp =
                   unknown || in_std ? header_of(cpp_headers, COUNT(cpp_headers), m->name) : NULL;

    if (c)
        snprintf(advice, room, "%s is declared in <%s>: write #include <%s> at the top of the file",
                 m->name, c, c);
    else if (cpp)
        snprintf(advice, room, "std::%s is declared in <%s>: write #include <%s> at the top%s",
                 m->name, cpp, cpp, in_std ? "" : ", and std:: in front of the name");
    return c || cpp;
}

/* Headers of the CUDA Toolkit that the kit does not have, by how their names begin, and what to do
   instead; of CUB and Thrust build.c has the words. */
static const struct {
    const char *start, *advice;
} toolkit[] = {
    { "'cuda/", "this is libcu++, of the CUDA Toolkit, which the kit does not have: read what is "
                "waited for through a volatile pointer, with __threadfence() after it and before a "
                "flag is set; atomicAdd and its kin; or ld.acquire.gpu and st.release.gpu in asm" },
    { "'nv/", "this is libcu++, of the CUDA Toolkit, which the kit does not have: leave it out" },
    { "'cuda_pipeline", "this is a header of the CUDA Toolkit which the kit does not have: load "
                        "and store, with a barrier, or write cp.async in asm" },
    { "'cooperative_groups/memcpy_async", "the kit does not have this header of the CUDA Toolkit: "
                                          "load and store, with a barrier, or write cp.async in "
                                          "asm" },
    { "'curand", "cuRAND is of the CUDA Toolkit, and the kit does not have it: a small generator "
                 "in the kernel will do" },
    { "'cublas", "cuBLAS is of the CUDA Toolkit, and the kit does not have it: write the kernel" },
    { "'cusparse", "cuSPARSE is of the CUDA Toolkit, and the kit does not have it: write the "
                   "kernel" },
    { "'nvtx", "NVTX is of the CUDA Toolkit, and the kit does not have it: leave the marks out" },
    { "'nvToolsExt", "NVTX is of the CUDA Toolkit, and the kit does not have it: leave the marks "
                     "out" },
    { "'helper_", "this header is of NVIDIA's samples, and not of CUDA: write its macro "
                  "checkCudaErrors yourself" },
    { "'cuda", "if this is a header of the CUDA Toolkit, the kit does not have it: "
               "common/cudart/README.md lists what it has" },
    { "'cooperative_groups/", "if this is a header of the CUDA Toolkit, the kit does not have it: "
                              "common/cudart/README.md lists what it has" },
};

static bool advise_toolkit(const message *m, char *advice, size_t room)
{
    for (size_t i = 0; i < COUNT(toolkit) && says(m, "' file not found"); i++)
        if (says(m, toolkit[i].start)) {
            snprintf(advice, room, "%s", toolkit[i].advice);
            return true;
        }
    return false;
}

/* HILLIS_STEELE_SECTION, of hillis_steele.cu; or "hillis_stele.h" */
static bool advise_own_header(const message *m, const char *file, char *advice, size_t room)
{
    const size_t slug = strlen(file) - strlen(".cu");

    if (says(m, ".h' file not found") && !says(m, "/")) {
        snprintf(advice, room, "is its name right? The lab's own header is \"%.*s.h\"", (int)slug,
                 file);
        return true;
    }
    if (!says(m, "undeclared identifier") && !says(m, "is undefined"))
        return false;
    for (size_t i = 0; i < slug; i++)
        if (m->name[i] != toupper((unsigned char)file[i]))
            return false;
    snprintf(advice, room, "the lab's header has it: is #include \"%.*s.h\" missing at the top?",
             (int)slug, file);
    return true;
}

/* What was opened and never closed. */
static bool advise_bracket(const message *m, const char *file, char *advice, size_t room)
{
    const char *open = says(m, "expected '}'") ? "{" : says(m, "expected ')'") ? "(" : NULL;
    char words[40];

    snprintf(words, sizeof words, "to match this '%s'", open ? open : "");
    const unsigned line = open ? line_of_note(m, file, words) : 0;
    if (line)
        snprintf(advice, room, "the %s in line %u is not closed", open, line);
    return line;
}

/* A call that does not fit: why, in the compiler's words. */
static bool advise_call(const message *m, char *advice, size_t room)
{
    static const char why[] = "not viable: ";
    const char *at = says(m, "no matching function")
                         ? memmem(m->notes, (size_t)(m->end - m->notes), why, sizeof why - 1)
                         : NULL;

    if (at)
        snprintf(advice, room, "%s: %.*s", m->name[0] ? m->name : "the call",
                 (int)strcspn(at + sizeof why - 1, "\n"), at + sizeof why - 1);
    return at;
}

void error_advice(const char *text, const char *end, const char *file, char *advice, size_t room)
{
    message m = { .text = text, .notes = text + strcspn(text, "\n"), .end = end };

    advice[0] = '\0';
    if (m.notes > end)
        m.notes = end;
    take_name(&m);
    (void)(advise_header(&m, advice, room) || advise_toolkit(&m, advice, room) ||
           advise_own_header(&m, file, advice, room) || advise_bracket(&m, file, advice, room) ||
           advise_row(&m, advice, room) || advise_call(&m, advice, room));
}
