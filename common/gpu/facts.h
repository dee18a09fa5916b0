/*
 * facts.h: which GPU this is, for the head of every file that holds a measurement.
 *
 * Everything in common/gpu talks to a real GPU through the CUDA runtime, in C, and is built only
 * where a CUDA Toolkit is found (CMakeLists.txt here). None of it is linked into programs that run
 * without a GPU.
 */
#ifndef GPU_FACTS_H
#define GPU_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "error.h"

typedef struct gpu_facts {
    char name[256];
    int major, minor; /* compute capability */
    int multiprocessors;
    int gpus; /* of this machine */
    size_t l2_bytes, memory_bytes;
    /* memory clock x bus width x 2, where the driver knows both; else 0 */
    double peak_GBps;
    /* "580.159.04", of /proc/driver/nvidia/version; "unknown" where that cannot be read */
    char driver[64];
    int cuda_driver, cuda_runtime; /* 13000 is 13.0 */
} gpu_facts;

/* Of the current device. False with a reason where there is no GPU or no driver for it. */
bool gpu_facts_get(gpu_facts *facts, base_error *error);

/* "# key: value" lines: gpu, gpus, compute_capability, multiprocessors, l2_bytes, memory_bytes,
   peak_GBps, driver, cuda, date, commit. commit: of the kit, or null where it is not known. */
void gpu_facts_write(FILE *file, const gpu_facts *facts, const char *commit);

#endif
