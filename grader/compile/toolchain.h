/*
 * toolchain.h: the programs that the grader calls, and the GPU that it may use, looked for once.
 *
 * clang comes from SCANLAB_CLANG in the environment, else from where CMake found it, else from
 * PATH: clang, then clang-22 down to clang-14. nvcc comes from SCANLAB_NVCC in the environment,
 * else from where CMake found it, else from PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda.
 * Unless the environment chose them, scripts that stand for them (ccache's clang, say) give way to
 * what they start: a compiler in its sandbox reaches the toolkit that it belongs to, and no other.
 */
#ifndef TOOLCHAIN_H
#define TOOLCHAIN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "error.h"

typedef struct toolchain_gpu { /* "" and 0: not known */
    char name[128];            /* "NVIDIA H200" */
    unsigned count;            /* of them here */
    unsigned capability;       /* 90 is 9.0 */
    double peak_GBps;          /* of its memory */
    size_t l2_bytes;
} toolchain_gpu;

typedef struct toolchain {
    char clang[PATH_MAX];
    char addr2line[PATH_MAX]; /* "" if there is none: a crash is then reported without its line */
    bool cuda;                /* submissions are compiled by nvcc, for a real GPU */
    char nvcc[PATH_MAX];
    toolchain_gpu gpu;
} toolchain;

/* False with a message that says what to install. */
bool toolchain_find(toolchain *tools, base_error *error);

/* For BACKEND=cuda: nvcc, and a GPU that answers. False with a message that says which of them is
   missing, and why. */
bool toolchain_find_cuda(toolchain *tools, base_error *error);

/* Are there so many GPUs, as far as is known? If not, why a lab that needs them is not run. */
bool toolchain_has_gpus(const toolchain *tools, unsigned gpus, base_error *error);

/* nvcc alone, which compiles where there is no GPU. */
bool toolchain_find_nvcc(toolchain *tools, base_error *error);

/* The parts of toolchain_find_cuda, for its tests. gpu_problem: "" if there is a GPU; kit_problem:
   "" if the kit was built with a toolkit. */
void toolchain_tell_missing(const char *nvcc, const char *gpu_problem, const char *kit_problem,
                            base_error *error);
/* of "# gpu: NVIDIA H200" lines; false if there is no name among them */
bool toolchain_read_facts(const char *text, toolchain_gpu *gpu);

/* With these options, 6 at most, a program may say "key and a folder". If that folder has a program
   of the same name, path becomes that one's. */
void toolchain_unwrap(char path[PATH_MAX], const char *const *options, const char *key);

/* The path of a program on PATH; false if there is none. */
bool toolchain_which(const char *name, char path[PATH_MAX]);

#endif
