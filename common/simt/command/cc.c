/*
 * cc.c: `simt cc`: .cu files to PTX and host objects, .c and .cpp files to objects, all linked with
 * the kit's runtime.
 *
 * The compiler's own messages pass through as they are. After them comes one sentence where a name
 * is missing that CUDA has and the kit's headers do not. Intermediate files are in a folder of
 * their own under TMPDIR, which is removed at the end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "config.h"
#include "file.h"
#include "parts.h"
#include "path.h"
#include "status_line.h"
#include "stop.h"
#include "fit.h"
#include "named.h"
#include "taken.h"
#include "tell.h"
#include "whole.h"
#include "terminal.h"

enum { MOST_WORDS = 256, MOST_INPUTS = 64, KEPT = 1 << 16 };

static const char help[] =
    "simt cc: compiles CUDA programs for the engine.\n"
    "\n"
    "  simt cc prog.cu more.cu host.c part.o -o prog\n"
    "  simt cc -c part.cu -o part.o\n"
    "\n"
    "  -o FILE              the program (a.out)\n"
    "  -c                   objects only, no program\n"
    "  -O0 -O1 -O2 -O3      both sides; kernels by default -O1 (more unrolls the\n"
    "                       loops that you may want to see), the host -O2\n"
    "  -g                   the host code with all debug information; kernels\n"
    "                       always have the lines\n"
    "  -I -D -U -include -isystem -W... -f... -std=...  go to the compiler, \n"
    "  -L -l -Wl,...                                    to the linker\n"
    "  -v                   show the commands\n"
    "  -arch=sm_80 and later   kernels see __CUDA_ARCH__ 800, else 750\n"
    "  -Xcompiler A,B -Xlinker A,B   for the host's compiler, for the linker\n"
    "Other options of nvcc are accepted where they change nothing here (-lineinfo,\n"
    "-lcudart ...), and else refused with a reason.\n"
    "\n"
    "The compiler is clang (simt --version says where), the headers are the kit's:\n"
    "the CUDA runtime API, device functions, cooperative groups. The PTX is clang's.\n"
    "Exit status: 0 compiled, 1 it does not compile, 2 usage, 3 missing.\n";

typedef struct job {
    const char *inputs[MOST_INPUTS];
    unsigned input_count;
    const char *compiler[MOST_WORDS], *linker[MOST_WORDS], *host[MOST_WORDS];
    unsigned compiler_count, linker_count, host_count;
    unsigned target; /* of the kernels: 75, or 80 */
    bool all_cuda;   /* -x cu: .c and .cpp files hold kernels too */
    const char *out;
    bool objects_only, verbose;
    char folder[64];
    const char *overlay; /* of the file that is compiled now, or null: taken.h */
    bool missing_reported;
} job;

/* ---- options --------------------------------------------------------------------------------- */

static bool one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static bool begins(const char *word, const char *start)
{
    return strncmp(word, start, strlen(start)) == 0;
}

static void add(const char **list, unsigned *count, const char *word)
{
    if (*count == MOST_WORDS)
        die(STATUS_USAGE, "more than %d options", MOST_WORDS);
    list[(*count)++] = word;
}

static const char *value_of(int count, char **words, int *at)
{
    if (*at + 1 == count)
        die(STATUS_USAGE, "%s needs a value; simt cc --help shows how", words[*at]);
    return words[++*at];
}

/* a,b,c: each a word of its own, for as long as the command runs. */
static void add_each(const char **list, unsigned *count, const char *text)
{
    char *copy = strdup(text), *rest = copy;
    if (!copy)
        die(STATUS_MISSING, "no memory left");
    for (char *word; (word = strsep(&rest, ","));)
        if (*word)
            add(list, count, word);
}

/* Options of the preprocessor are for both sides: each parses the whole file. */
static void add_host(job *j, const char *text)
{
    const char *each[MOST_WORDS];
    unsigned count = 0;

    add_each(each, &count, text);
    for (unsigned k = 0; k < count; k++)
        if (begins(each[k], "-D") || begins(each[k], "-U") || begins(each[k], "-I"))
            add(j->compiler, &j->compiler_count, each[k]);
        else
            add(j->host, &j->host_count, each[k]);
}

static void add_linker(job *j, const char *text)
{
    const char *each[MOST_WORDS];
    unsigned count = 0;

    add_each(each, &count, text);
    for (unsigned k = 0; k < count; k++) {
        add(j->linker, &j->linker_count, "-Xlinker");
        add(j->linker, &j->linker_count, each[k]);
    }
}

/* True if the word was one of nvcc's own options. */
static bool read_nvcc(job *j, int count, char **words, int *at)
{
    const char *value = NULL;
    unsigned target;

    switch (nvcc_read(count, words, at, &value)) {
    case NVCC_NONE:
    case NVCC_PREFIX:
    case NVCC_REFUSED: return false;
    case NVCC_NOTHING:
    case NVCC_NOTE: break;
    case NVCC_BOTH: add(j->compiler, &j->compiler_count, value); break;
    case NVCC_HOST: add_host(j, value); break;
    case NVCC_LINKER: add_linker(j, value); break;
    case NVCC_ARCH:
        target = nvcc_target(value);
        if (target > j->target)
            j->target = target;
        break;
    case NVCC_FMAD:
        add(j->compiler, &j->compiler_count,
            strcmp(value, "false") == 0 ? "-ffp-contract=off" : "-ffp-contract=fast");
        break;
    case NVCC_LANGUAGE:
        if (strcmp(value, "cu") != 0)
            die(STATUS_USAGE,
                "-x %s: simt cc knows languages by the files' names, and -x cu; leave it out",
                value);
        j->all_cuda = true;
        break;
    case NVCC_OBJECTS: j->objects_only = true; break;
    }
    return true;
}

/* -I of a toolkit's headers, which would come before the kit's. */
static bool left_out(const char *folder)
{
    if (!nvcc_is_toolkit(folder))
        return false;
    tell_harmless(stderr,
                  "simt: -I%s is left out: a CUDA Toolkit's headers do not go with the kit's",
                  folder);
    return true;
}

/* libcu++ in this folder: CCCL 3 as a wheel or a checkout has it, beside no toolkit, or a release 1
   as Debian packages it (libcu++-dev). Both declare variadic functions for the device. CCCL has
   numbers of 8 bits wherever there is a cuda_fp8.h; of the compilers for CUDA release 1 knows
   nvcc. */
static void look_for_libcudacxx(job *j, const char *folder)
{
    static const struct {
        const char *header, *words[4];
    } releases[] = {
        { "cuda/std/__cccl/cuda_toolkit.h",
          { "-Xclang", "-fcuda-allow-variadic-functions", "-DCCCL_DISABLE_NVFP8_SUPPORT" } },
        { "cuda/std/detail/__config",
          { "-Xclang", "-fcuda-allow-variadic-functions", "-D_LIBCUDACXX_COMPILER_NVCC" } },
    };
    char header[PATH_MAX];
    base_error error;
    for (size_t k = 0; k < sizeof releases / sizeof *releases; k++)
        if (path_join(header, sizeof header, folder, releases[k].header, &error) &&
            file_exists(header))
            for (const char *const *word = releases[k].words; *word; word++)
                add(j->compiler, &j->compiler_count, *word);
}

static void read_compiler_word(job *j, int count, char **words, int *at)
{
    static const char *const with_value[] = { "-I", "-D", "-U", "-include", "-isystem", NULL };
    const char *word = words[*at];
    bool apart = one_of(word, with_value);
    const char *value = apart ? value_of(count, words, at) : word + 2;

    if (begins(word, "-I") && left_out(value))
        return;
    if (begins(word, "-I") || strcmp(word, "-isystem") == 0)
        look_for_libcudacxx(j, value);
    add(j->compiler, &j->compiler_count, word);
    if (apart)
        add(j->compiler, &j->compiler_count, value);
}

static void read_words(job *j, int count, char **words)
{
    static const char *const linked[] = { "-L", "-l", NULL };

    for (int k = 0; k < count; k++) {
        const char *word = words[k];
        if (word[0] != '-') {
            if (j->input_count == MOST_INPUTS)
                die(STATUS_USAGE, "more than %d files", MOST_INPUTS);
            j->inputs[j->input_count++] = word;
        } else if (strcmp(word, "-o") == 0 || strcmp(word, "--output-file") == 0)
            j->out = value_of(count, words, &k);
        else if (strcmp(word, "-c") == 0)
            j->objects_only = true;
        else if (strcmp(word, "-v") == 0)
            j->verbose = true;
        else if (read_nvcc(j, count, words, &k))
            continue;
        else if (one_of(word, linked)) {
            add(j->linker, &j->linker_count, word);
            add(j->linker, &j->linker_count, value_of(count, words, &k));
        } else if (begins(word, "-L") || begins(word, "-l") || begins(word, "-Wl,") ||
                   strcmp(word, "-pthread") == 0)
            add(j->linker, &j->linker_count, word);
        else
            read_compiler_word(j, count, words, &k);
    }
}

static void check(const job *j)
{
    static const char *const known[] = { ".cu", ".c", ".cpp", ".cc", ".cxx", ".o", ".a", NULL };
    if (j->input_count == 0)
        die(STATUS_USAGE, "no files to compile; simt cc prog.cu -o prog");
    if (j->objects_only && j->out && j->input_count > 1)
        die(STATUS_USAGE, "-c with -o makes one object, and there are %u files; leave out -o",
            j->input_count);
    for (unsigned k = 0; k < j->input_count; k++) {
        const char *const *ending = known;
        while (*ending && !path_has_ending(j->inputs[k], *ending))
            ending++;
        if (!*ending)
            die(STATUS_USAGE,
                "%s: not a file that simt cc takes: .cu, .c, .cpp, .cc, .cxx, .o or .a",
                j->inputs[k]);
        if (!file_exists(j->inputs[k]))
            die(STATUS_USAGE, "there is no file %s", j->inputs[k]);
        if (j->out && strcmp(j->out, j->inputs[k]) == 0)
            die(STATUS_USAGE, "-o %s would overwrite a source", j->out);
    }
    if (!*parts_clang() && *parts_folder())
        die(STATUS_MISSING, "there is no clang on the PATH; install one, 14 or newer: apt install "
                            "clang");
    if (!*parts_clang())
        die(STATUS_MISSING,
            "the compiler that the build found, %s, is gone; build the kit again: tools/setup",
            SIMT_CLANG);
}

/* ---- running a tool -------------------------------------------------------------------------- */

/* What the compiler said, for explain; the pipe's end is read until it closes. Says every second
   what is going on if it takes long. */
static void pass_on(int from, char *kept, const char *doing, pid_t child)
{
    time_t start = time(NULL);
    size_t used = 0;
    char part[4096];
    for (;;) {
        struct pollfd wait = { .fd = from, .events = POLLIN };
        int ready = poll(&wait, 1, 500);
        if (stop_asked())
            kill(child, SIGTERM); /* where it has not heard of it from the terminal */
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0) {
            if (time(NULL) - start >= 2)
                status_line_show(stderr, "simt: %ld s: %s", (long)(time(NULL) - start), doing);
            continue;
        }
        ssize_t got = read(from, part, sizeof part);
        if (got <= 0)
            break;
        status_line_clear();
        fwrite(part, 1, (size_t)got, stderr);
        size_t room = KEPT - 1 - used, take = (size_t)got < room ? (size_t)got : room;
        memcpy(kept + used, part, take);
        used += take;
    }
    status_line_clear();
    kept[used] = '\0';
}

/* True if the tool ended with 0; kept: what it wrote to standard error. */
static bool run_tool(const job *j, const char **words, char *kept, const char *doing)
{
    int ends[2], status = 0;

    for (unsigned k = 0; words[k]; k++)
        words[k] = parts_word(words[k]);
    if (j->verbose) {
        for (unsigned k = 0; words[k]; k++)
            fprintf(stderr, "%s%s", k ? " " : "", words[k]);
        fputc('\n', stderr);
    }
    if (pipe2(ends, O_CLOEXEC) != 0)
        die(STATUS_MISSING, "no pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0)
        die(STATUS_MISSING, "no process: %s", strerror(errno));
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        execvp(words[0], (char *const *)(uintptr_t)words);
        tell_harmless(stderr, "simt: cannot run %s: %s", words[0], strerror(errno));
        _exit(127);
    }
    close(ends[1]);
    pass_on(ends[0], kept, doing, child);
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && !stop_asked();
}

/* ---- what the kit does not have -------------------------------------------------------------- */

/* The name between quotes after start; false if start is not in the text. */
static bool quoted_after(const char *text, const char *start, char *name, size_t room)
{
    for (const char *at = text; (at = strstr(at, start)); at++) {
        const char *from = at + strlen(start);
        size_t length = strcspn(from, "'`\"\n");
        if (length && length < room && from[length] != '\n') {
            snprintf(name, room, "%.*s", (int)length, from);
            return true;
        }
    }
    return false;
}

#define LIBRARY                                                                                    \
    "Thrust and CUB are packages of their own: on Debian and Ubuntu, apt install libthrust-dev "   \
    "libcub-dev; or name the folder that has them with -I"
#define LIBCUDACXX                                                                                 \
    "libcu++ is a package of its own: on Debian and Ubuntu, apt install libcu++-dev; or name the " \
    "folder that has it with -I, or take atomicAdd and its kin, __threadfence, __syncthreads"
#define DRIVER "the driver API is not offered: use the runtime's, cudaMalloc and <<<>>>"

#define TEXTURES                                                                                   \
    "of textures there are objects of one and two dimensions (tex1Dfetch, tex1D, tex2D): read "    \
    "global memory for what is left"
#define REFERENCES                                                                                 \
    "texture references are gone from CUDA 12: make a texture object, cudaCreateTextureObject, "   \
    "hand it to the kernel, and read it by tex1Dfetch<float>(object, i) or tex2D<float>(object, "  \
    "x, y)"

/* What CUDA has and the kit does not, by how names begin, and what to do instead. The first row
   that fits counts; common/cudart/README.md lists what the kit has. */
static const struct {
    const char *start, *advice;
} absent[] = {
    { "cuda_fp8", "numbers of 8 bits are not simulated: compute in half (cuda_fp16.h) or float" },
    { "half", "it is in cuda_fp16.h: #include <cuda_fp16.h>" },
    { "__half", "it is in cuda_fp16.h: #include <cuda_fp16.h>" },
    { "__float2half", "it is in cuda_fp16.h: #include <cuda_fp16.h>" },
    { "__nv_bfloat", "it is in cuda_bf16.h: #include <cuda_bf16.h>" },
    { "__float2bfloat", "it is in cuda_bf16.h: #include <cuda_bf16.h>" },
    { "tex3D", TEXTURES },
    { "texCubemap", TEXTURES },
    { "tex1D", TEXTURES },
    { "tex2D", TEXTURES },
    { "texture", REFERENCES },
    { "cudaBindTexture", REFERENCES },
    { "cudaUnbindTexture", REFERENCES },
    { "cudaTextureType", REFERENCES },
    { "cudaTexture", TEXTURES },
    { "cudaMalloc3DArray", TEXTURES },
    { "cudaMipmapped", TEXTURES },
    { "cudaMallocMipmapped", TEXTURES },
    { "surf", "surfaces are not simulated: write global memory" },
    { "cudaSurface", "surfaces are not simulated: write global memory" },
    { "cudaStreamCapture", "graphs are not offered: enqueue the same work in a stream" },
    { "cudaStreamEndCapture", "graphs are not offered: enqueue the same work in a stream" },
    { "cudaGraph", "graphs are not offered: enqueue the same work in a stream" },
    { "cudaStreamBeginCapture", "graphs are not offered: enqueue the same work in a stream" },
    { "thrust", LIBRARY },
    { "cublas", "cuBLAS comes with NVIDIA's toolkit and is not offered: write the kernel" },
    { "cub", LIBRARY },
    { "cuda/", LIBCUDACXX },
    { "nv/", LIBCUDACXX },
    { "curand", "cuRAND is not offered: a small generator in the kernel will do, such as one "
                "multiply-add a number, or numbers made by the host" },
    { "cufft", "cuFFT is not offered" },
    { "cusparse", "cuSPARSE is not offered: write the kernel" },
    { "cusolver", "cuSOLVER is not offered" },
    { "cudnn", "cuDNN is not offered" },
    { "nccl", "NCCL is not offered: there is one device" },
    { "nvml", "NVML is not offered: cudaGetDeviceProperties has what is known of the device" },
    { "nvrtc", "NVRTC is not offered: compile the kernel with simt cc" },
    { "nvtx", "NVTX is not offered: leave the marks out" },
    { "nvToolsExt", "NVTX is not offered: leave the marks out" },
    { "wmma", "tensor cores are not simulated: multiply with float" },
    { "mma", "tensor cores are not simulated: multiply with float" },
    { "helper_", "this header is of NVIDIA's samples, not of CUDA: where you have it, name its "
                 "folder with -I. The kit has helper_cuda.h, helper_functions.h, helper_image.h, "
                 "helper_math.h, helper_string.h and helper_timer.h of its own" },
    { "cuInit", DRIVER },
    { "cuDevice", DRIVER },
    { "cuCtx", DRIVER },
    { "cuModule", DRIVER },
    { "cuLaunch", DRIVER },
    { "cuMem", DRIVER },
    { "CUdevice", DRIVER },
    { "CUcontext", DRIVER },
    { "CUmodule", DRIVER },
    { "CUfunction", DRIVER },
    { "CUresult", DRIVER },
    { "cuda_gl_interop", "graphics are not offered" },
    { "__reduce_", "it needs compute capability 8.0: simt cc -arch=sm_80" },
    { "__shfl", "shuffles and votes without _sync are gone from CUDA: take the one with _sync and "
                "a mask, 0xffffffff for whole warps" },
    { "__ballot", "shuffles and votes without _sync are gone from CUDA: take the one with _sync "
                  "and a mask, 0xffffffff for whole warps" },
    { "__any", "shuffles and votes without _sync are gone from CUDA: take the one with _sync and a "
               "mask, 0xffffffff for whole warps" },
    { "__all", "shuffles and votes without _sync are gone from CUDA: take the one with _sync and a "
               "mask, 0xffffffff for whole warps" },
    { "cudaThread", "it is gone from CUDA: cudaThreadSynchronize is now cudaDeviceSynchronize, "
                    "cudaThreadExit cudaDeviceReset" },
    { "__kmpc_", "OpenMP is clang's here: link its library, -lomp instead of -lgomp, and name its "
                 "folder, as in -L/usr/lib/llvm-14/lib (on Debian: apt install libomp-dev)" },
    { "__cluster", "clusters are not simulated" },
    { "cluster_group", "clusters are not simulated" },
    { "memcpy_async",
      "it is in cooperative_groups/memcpy_async.h, and in libcu++'s cuda/barrier and "
      "cuda/pipeline: include the one whose form this is" },
    { "block_tile_memory", "tiles have 32 threads at most: a barrier of the block will do" },
    { "invoke_one", "invoke_one is not offered: if (group.thread_rank() == 0)" },
};

static const char *advice_for(const char *name)
{
    for (size_t k = 0; k < sizeof absent / sizeof *absent; k++)
        if (begins(name, absent[k].start))
            return absent[k].advice;
    return NULL;
}

/* Names that only CUDA has, with no more advice. */
static bool is_of_cuda(const char *name)
{
    static const char *const starts[] = { "cuda", "atomic", "cooperative", "math_constants", "__" };
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
        if (begins(name, starts[k]))
            return true;
    return false;
}

/* Mathematical functions that CUDA has and device_libm.h does not. */
static bool is_missing_function(const char *name)
{
    static const char *const known[] = {
        "j0", "j1", "jn", "y0", "y1", "yn", "cyl_bessel_i0", "cyl_bessel_i1", NULL
    };
    char plain[200];
    snprintf(plain, sizeof plain, "%s", name);
    if (*plain && plain[strlen(plain) - 1] == 'f' && !one_of(plain, known))
        plain[strlen(plain) - 1] = '\0';
    return one_of(plain, known);
}

static void explain_header(job *j, const char *name)
{
    const char *advice = advice_for(name);
    if (!advice && !is_of_cuda(name) && !begins(name, "cooperative_groups/"))
        return;
    j->missing_reported = true;
    if (begins(name, "thrust/") || begins(name, "cub/") || begins(name, "cuda/") ||
        begins(name, "nv/")) {
        tell_harmless(stderr, "simt: there is no header %s here", name);
        fprintf(stderr, "      %s\n", advice);
        return;
    }
    tell_harmless(stderr,
                  "simt: the kit has no header %s: it has the CUDA runtime API and its device "
                  "functions",
                  name);
    fputs("      (common/cudart/README.md is the list), and no libraries on top of them\n", stderr);
    if (advice)
        fprintf(stderr, "      %s\n", advice);
}

/* Of the names that the compiler misses, the first that there is advice for; else the first that
   only CUDA has. */
static void explain_name(job *j, const char *said)
{
    static const char *const starts[] = { "use of undeclared identifier '",
                                          "unknown type name '",
                                          "no type named '",
                                          "no template named '",
                                          "no member named '",
                                          "no matching function for call to '",
                                          "undefined reference to `" };
    char name[200], found[200] = "";
    const char *advice = NULL;
    for (const char *at = said; *at && !advice; at++)
        for (size_t k = 0; k < sizeof starts / sizeof *starts && !advice; k++) {
            if (!begins(at, starts[k]) || !quoted_after(at, starts[k], name, sizeof name))
                continue;
            advice = advice_for(name);
            if (advice || (!*found && (is_of_cuda(name) || is_missing_function(name))))
                snprintf(found, sizeof found, "%s", name);
        }
    if (!*found)
        return;
    j->missing_reported = true;
    fprintf(stderr,
            "simt: if %s is CUDA's, this kit does not have it: common/cudart/README.md is the\n"
            "      list of what there is\n",
            found);
    if (!advice && is_missing_function(found))
        advice = "write its series, or read it from a table that the host makes";
    if (advice)
        fprintf(stderr, "      %s\n", advice);
}

/* Of two words in what the compiler says: what nvcc says to the same, and what to write. */
static bool explain_error(job *j, const char *said)
{
    static const struct {
        const char *words, *also, *advice;
    } rows[] = {
        { "initialization is not supported for __shared__ variables", "",
          "CUDA does not initialise __shared__ variables: nvcc warns, and leaves the constructor\n"
          "      out. Take the initialisers and the constructor from the type, or write\n"
          "      __shared__ __align__(16) char raw[sizeof(T)]; T &t = *(T *)raw; and set it "
          "yourself" },
        { "with a different type", "__shared__",
          "nvcc refuses that, too: all `extern __shared__` arrays of one name are one variable.\n"
          "      In a template write extern __shared__ __align__(16) char raw[]; "
          "T *s = (T *)raw;" },
        { "'#' is not followed by a macro parameter", "pragma",
          "in a macro with arguments write _Pragma(\"unroll\"), not #pragma unroll" },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strstr(said, rows[k].words) && strstr(said, rows[k].also)) {
            j->missing_reported = true;
            fprintf(stderr, "simt: %s\n", rows[k].advice);
            return true;
        }
    return false;
}

static void explain(job *j, const char *said)
{
    char name[200];
    if (j->missing_reported || explain_error(j, said))
        return;
    if (strstr(said, "file not found") && quoted_after(said, "error: '", name, sizeof name)) {
        explain_header(j, name);
        return;
    }
    if (strstr(said, "/driver_types.h:") || strstr(said, "/crt/host_defines.h:") ||
        strstr(said, "__device_builtin__") || strstr(said, "_CCCL_")) {
        static const char *const folders[] = { "/thrust/", "/cub/", "/cuda/" };
        j->missing_reported = true;
        fprintf(stderr, "simt: a header of a CUDA Toolkit came in, and those do not go with the "
                        "kit's: the program includes\n"
                        "      more than the CUDA runtime API and device functions, which is what "
                        "the kit has\n");
        for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
            if (strstr(said, folders[k])) {
                fprintf(stderr, "      %s\n", advice_for(folders[k] + 1));
                return;
            }
        return;
    }
    if (strstr(said, "reference to __global__ function")) {
        j->missing_reported = true;
        fputs("simt: launches from kernels are not offered: launch from the host, or call a "
              "__device__ function\n",
              stderr);
        return;
    }
    explain_name(j, said);
}

/* ---- compiling ------------------------------------------------------------------------------- */

static bool is_ready(const char *path)
{
    return path_has_ending(path, ".o") || path_has_ending(path, ".a");
}
static bool is_cuda(const job *j, const char *path)
{
    return path_has_ending(path, ".cu") || (j->all_cuda && !is_ready(path));
}

/* Of a source; of the device's side, LLVM's text, which ends where the PTX will be. */
static bool compile_step(job *j, const char *source, bool device, const char *ptx,
                         const char *object)
{
    const char *const *device_options = parts_device_options();
    const char *words[2 * MOST_WORDS + 36], *name = path_name(source);
    char flags[PATH_MAX + 16], doing[300];
    static char kept[KEPT];
    unsigned n = 0;

    snprintf(flags, sizeof flags, "@" SIMT_CUDART_DIR "/%s.flags", device ? "device" : "host");
    snprintf(doing, sizeof doing, "compiling %.200s%s", name, device ? " for the device" : "");
    words[n++] = SIMT_CLANG;
    if (is_cuda(j, source))
        words[n++] = flags;
    else {
        words[n++] = "-fPIE";
        words[n++] = "-O2";
        words[n++] = "-c";
        if (!path_has_ending(source, ".c"))
            words[n++] = "-std=gnu++17"; /* as host compilers take it, and kernels have it */
    }
    for (unsigned k = 0; device && device_options[k]; k++)
        words[n++] = device_options[k];
    if (device) {
        words[n++] = "-emit-llvm";
        /* as nvcc warns, too: of such a variable nothing is left for the engine to find */
        words[n++] = "-Wuninitialized";
    }
    words[n++] = "-DSCANLAB_SIMT_CC";
    words[n++] = "-isystem"; /* what libraries' own headers need of clang; these come next */
    words[n++] = SIMT_CUDART_DIR "/include/packaged";
    words[n++] = "-isystem";
    words[n++] = SIMT_CUDART_DIR "/include";
    words[n++] = "-idirafter"; /* a program's own come first */
    words[n++] = SIMT_CUDART_DIR "/include/samples";
    if (is_cuda(j, source) && j->target > 75) {
        words[n++] = "--no-cuda-gpu-arch=sm_75";
        words[n++] = "--cuda-gpu-arch=sm_80";
    }
    if (terminal_look(STDERR_FILENO).colour)
        words[n++] = "-fcolor-diagnostics";
    words[n++] = "-Wno-pass-failed"; /* loops that stay loops, which nvcc does not mention either */
    if (!device && is_cuda(j, source)) {
        words[n++] = "-Wno-everything"; /* the device's side has printed them */
        words[n++] = "-Xclang";
        words[n++] = "-fcuda-include-gpubinary";
        words[n++] = "-Xclang";
        words[n++] = ptx;
    }
    for (unsigned k = 0; k < j->compiler_count; k++)
        if (!device || strcmp(j->compiler[k], "-g") != 0)
            words[n++] = j->compiler[k];
    for (unsigned k = 0; k < j->host_count && !device; k++)
        words[n++] = j->host[k];
    if (j->overlay) {
        words[n++] = "-ivfsoverlay";
        words[n++] = j->overlay;
    }
    words[n++] = source;
    words[n++] = "-o";
    words[n++] = device ? ptx : object;
    words[n] = NULL;
    bool fine = run_tool(j, words, kept, doing);
    if (!fine && !stop_asked())
        explain(j, kept);
    return fine;
}

/* The last of the program's own options that begin with this; or else that one. */
static const char *last_option(const job *j, const char *with, const char *usual)
{
    for (unsigned k = 0; k < j->compiler_count; k++)
        if (begins(j->compiler[k], with))
            usual = j->compiler[k];
    return usual;
}

static bool make_copies_whole(const char *path)
{
    base_error error;
    char *text = NULL, *whole = NULL;
    bool fine = file_read(path, (size_t)1 << 30, &text, NULL, &error);

    if (fine && !(whole = whole_copies(text)))
        fine = error_set(&error, "no memory for the copies of vectors in %s", path);
    if (fine && strcmp(whole, text) != 0)
        fine = file_write(path, whole, strlen(whole), &error);
    if (!fine)
        fprintf(stderr, "simt: %s\n", error.text);
    free(text);
    free(whole);
    return fine;
}

/* LLVM's text becomes PTX, in place. */
static bool generate_step(job *j, const char *source, const char *ptx)
{
    static char kept[KEPT];
    char llvm[PATH_MAX + 8], doing[300];
    /* CUDA's usual, which LLVM's text does not say */
    const bool fused = strstr(last_option(j, "-ffp-contract=", "fast"), "fast") != NULL;
    const char *words[] = { SIMT_CLANG,
                            "-cc1",
                            "-triple",
                            "nvptx64-nvidia-cuda",
                            "-target-cpu",
                            j->target > 75 ? "sm_80" : "sm_75",
                            "-target-feature",
                            "+ptx75",
                            "-mllvm",
                            fused ? "-nvptx-fma-level=2" : "-nvptx-fma-level=0",
                            last_option(j, "-O", "-O1"),
                            "-disable-llvm-passes",
                            "-fno-verbose-asm",
                            "-fno-dwarf-directory-asm",
                            "-S",
                            "-x",
                            "ir",
                            llvm,
                            "-o",
                            ptx,
                            NULL };
    snprintf(llvm, sizeof llvm, "%s.ll", ptx);
    snprintf(doing, sizeof doing, "compiling %.200s for the device", path_name(source));
    bool fine = rename(ptx, llvm) == 0;
    fine = fine && make_copies_whole(llvm) && run_tool(j, words, kept, doing);
    unlink(llvm);
    return fine;
}

/* There is no device linker, so what one file does not define is nowhere: refused here, where nvcc
   has its linker refuse it, and not when a kernel gets there. */
static bool all_defined(const char *source, const simt_device *device, unsigned module)
{
    simt_undefined call;
    unsigned n = 0;
    for (; simt_undefined_call(device, module, n, &call); n++) {
        const char *name = call.name;
        unsigned long length = 0;
        if (begins(name, "_Z")) { /* _Z4stepf: 4 letters, step */
            char *rest;
            length = strtoul(name + 2, &rest, 10);
            name = length ? rest : name;
        }
        tell_harmless(stderr, "simt: %s:%u: unresolved extern function '%.*s'",
                      *call.file ? call.file : source, call.line, length ? (int)length : 200, name);
    }
    if (n)
        fputs("      it is declared and not defined. There is no device linker: define __device__ "
              "functions in\n      the file that calls them, or in a header\n",
              stderr);
    return n == 0;
}

/* Kernels that the parser does not take are reported here, not when the program runs. */
static bool check_ptx(const char *source, const char *path)
{
    char *text;
    size_t bytes;
    base_error error;
    simt_config config = simt_default_config();
    simt_device *device;
    unsigned module;

    config.memory = 1 << 24;
    if (!file_read(path, (size_t)1 << 30, &text, &bytes, &error) ||
        simt_open(&config, &device) != SIMT_OK)
        return true;
    simt_status status = simt_module_load(device, text, bytes, "the PTX", &module);
    if (status == SIMT_BAD_PTX) {
        tell_harmless(stderr, "simt: %s compiles, but the engine does not take its PTX:", source);
        fprintf(stderr, "%s\n", simt_error(device));
    }
    bool fine =
        status != SIMT_BAD_PTX && (status != SIMT_OK || all_defined(source, device, module));
    simt_close(device);
    free(text);
    return fine;
}

static bool compile(job *j, unsigned k, char *object)
{
    char ptx[PATH_MAX], overlay[PATH_MAX];
    const char *source = j->inputs[k];

    snprintf(ptx, sizeof ptx, "%s/%u.ptx", j->folder, k);
    if (j->objects_only && j->out)
        snprintf(object, PATH_MAX, "%s", j->out);
    else if (j->objects_only) {
        snprintf(object, PATH_MAX, "%s", path_name(source));
        strcpy(strrchr(object, '.'), ".o");
    } else
        snprintf(object, PATH_MAX, "%s/%u.o", j->folder, k);
    j->overlay = NULL;
    if (!is_cuda(j, source))
        return compile_step(j, source, false, NULL, object);
    if (taken_prepare(source, j->compiler, j->compiler_count, j->folder, k, overlay))
        j->overlay = overlay;
    if (!compile_step(j, source, true, ptx, NULL) || !generate_step(j, source, ptx))
        return false;
    named_parameters(ptx, source);
    return check_ptx(source, ptx) && compile_step(j, source, false, ptx, object);
}

static bool link_program(job *j, char (*objects)[PATH_MAX])
{
    static const char *const before[] = { SIMT_LINK_BEFORE }, *const after[] = { SIMT_LINK_AFTER };
    const char *words[3 * MOST_WORDS];
    static char kept[KEPT];
    unsigned n = 0;

    words[n++] = SIMT_LINKER;
    words[n++] = "-o";
    words[n++] = j->out ? j->out : "a.out";
    for (size_t k = 0; k < sizeof before / sizeof *before; k++)
        words[n++] = before[k];
    for (unsigned k = 0; k < j->input_count; k++)
        words[n++] = objects[k];
    for (unsigned k = 0; k < j->host_count; k++)
        words[n++] = j->host[k];
    for (unsigned k = 0; k < j->linker_count; k++)
        words[n++] = j->linker[k];
    for (size_t k = 0; k < sizeof after / sizeof *after; k++)
        words[n++] = after[k];
    words[n] = NULL;
    bool fine = run_tool(j, words, kept, "linking");
    if (!fine && !stop_asked())
        explain(j, kept);
    return fine;
}

static void remove_folder(const job *j)
{
    char path[PATH_MAX];
    for (unsigned k = 0; k < j->input_count; k++)
        for (int what = 0; what < 2; what++) {
            snprintf(path, sizeof path, "%s/%u.%s", j->folder, k, what ? "o" : "ptx");
            unlink(path);
        }
    for (unsigned k = 0; k < j->input_count; k++)
        taken_remove(j->folder, k);
    rmdir(j->folder);
}

int command_cc(int count, char **words)
{
    static job j;
    static char objects[MOST_INPUTS][PATH_MAX];
    const char *temporary = getenv("TMPDIR");
    bool fine = true;

    if (count > 0 && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0)) {
        fit_print(stdout, "%s", help);
        return 0;
    }
    read_words(&j, count, words);
    look_for_libcudacxx(&j, "/usr/include");
    check(&j);
    snprintf(j.folder, sizeof j.folder, "%.40s/simt.XXXXXX",
             temporary && *temporary && strlen(temporary) <= 40 ? temporary : "/tmp");
    if (!mkdtemp(j.folder))
        die(STATUS_MISSING, "cannot make a folder like %s: %s", j.folder, strerror(errno));
    stop_watch();
    for (unsigned k = 0; k < j.input_count && fine; k++) {
        if (is_ready(j.inputs[k]))
            snprintf(objects[k], PATH_MAX, "%s", j.inputs[k]);
        else
            fine = compile(&j, k, objects[k]);
    }
    if (fine && !j.objects_only)
        fine = link_program(&j, objects);
    remove_folder(&j);
    if (stop_asked())
        stop();
    return fine ? 0 : STATUS_FOUND;
}
