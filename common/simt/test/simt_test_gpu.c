/*
 * simt_test_gpu: runs the value expectations of the engine's test files on a real GPU, through the CUDA driver API, and
 * prints which tests disagree. It is how the expectations themselves are checked; it is not part of the kit's build:
 *
 *   gcc -std=gnu17 -O1 -I/usr/local/cuda/include simt_test_gpu.c test_file.c test_ops.c -o simt_test_gpu -lcuda -lm
 *   ./simt_test_gpu FILE...
 *
 * Tests that expect a fault, a finding or a refusal, and those marked "gpu no", are left out.
 * Exit code: 0 all agree, 1 some do not, 2 a file that cannot be read, 3 no GPU.
 */
#include "test_file.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *cuda_text(CUresult status)
{
    const char *text = NULL;
    cuGetErrorString(status, &text);
    return text ? text : "unknown error";
}

/* Prints what failed; returns whether it did not. */
static bool cuda_ok(CUresult status, const char *what, const test_case *c, const char *detail)
{
    if (status != CUDA_SUCCESS)
        printf("FAIL %s: %s: %s %s\n", c->name, what, cuda_text(status), detail);
    return status == CUDA_SUCCESS;
}

static bool prepare(CUmodule module, const test_case *c, const test_param *p, CUdeviceptr *address)
{
    size_t bytes = p->count * test_type_size(p->type), size;
    if (p->role == TEST_ARG)
        return true;
    if (p->role == TEST_SET || p->role == TEST_VARIABLE) {
        if (!cuda_ok(cuModuleGetGlobal(address, &size, module, p->name), "cuModuleGetGlobal", c, p->name))
            return false;
        return p->role == TEST_VARIABLE || cuda_ok(cuMemcpyHtoD(*address, p->before.bytes, bytes), "cuMemcpyHtoD", c, "");
    }
    return cuda_ok(cuMemAlloc(address, bytes), "cuMemAlloc", c, "") &&
           cuda_ok(p->role == TEST_OUT ? cuMemsetD8(*address, 0xA5, bytes) : cuMemcpyHtoD(*address, p->before.bytes, bytes),
                   "fill", c, "");
}

static unsigned compare(const test_case *c, const test_launch *l, const CUdeviceptr *address)
{
    unsigned failures = 0;
    for (unsigned i = 0; i < l->params; i++) {
        const test_param *p = &l->param[i];
        size_t bytes = p->count * test_type_size(p->type);
        char text[512];
        if (!p->after.bytes)
            continue;
        void *got = malloc(bytes);
        if (!got || !cuda_ok(cuMemcpyDtoH(got, address[i], bytes), "cuMemcpyDtoH", c, ""))
            failures++;
        else if (!test_param_agrees(p, got, text, sizeof text)) {
            printf("FAIL %s (%s): line %u: %s\n", c->name, l->label, p->line, text);
            failures++;
        }
        free(got);
    }
    return failures;
}

static unsigned run_launch(CUmodule module, const test_case *c, const test_launch *l)
{
    CUdeviceptr address[32] = {0};
    void *params[32];
    unsigned count = 0;
    CUfunction function;
    for (unsigned i = 0; i < l->params; i++) {
        const test_param *p = &l->param[i];
        if (!prepare(module, c, p, &address[i]))
            return 1;
        if (p->role != TEST_SET && p->role != TEST_VARIABLE)
            params[count++] = p->role == TEST_ARG ? (void *)p->before.bytes : &address[i];
    }
    if (!cuda_ok(cuModuleGetFunction(&function, module, l->kernel), "cuModuleGetFunction", c, l->kernel))
        return 1;
    CUresult status = cuLaunchKernel(function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                                     (unsigned)l->shared, 0, params, 0);
    if (status == CUDA_SUCCESS)
        status = cuCtxSynchronize();
    if (!cuda_ok(status, "launch", c, l->label))
        return 1;
    unsigned failures = compare(c, l, address);
    for (unsigned i = 0; i < l->params; i++)
        if (l->param[i].role <= TEST_INOUT)
            cuMemFree(address[i]);
    return failures;
}

static unsigned run_case(const test_case *c)
{
    char log[4096] = "", *text = calloc(1, c->text_bytes + 1);
    CUmodule module;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    unsigned failures = 0;
    if (!text)
        return 1;
    memcpy(text, c->text, c->text_bytes);
    if (!cuda_ok(cuModuleLoadDataEx(&module, text, 2, options, values), "load", c, log))
        failures = 1;
    else {
        for (unsigned i = 0; i < c->launches; i++)
            failures += run_launch(module, c, &c->launch[i]);
        cuModuleUnload(module);
    }
    free(text);
    return failures;
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext context;
    unsigned ran = 0, left_out = 0, failed = 0;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context)) {
        fprintf(stderr, "simt_test_gpu: no usable GPU\n");
        return 3;
    }
    for (int i = 1; i < argc; i++) {
        test_file *file = test_file_read(argv[i]);
        if (!file)
            return 2;
        for (unsigned k = 0; k < test_file_cases(file); k++) {
            const test_case *c = test_file_case(file, k);
            if (!test_case_suits_gpu(c)) {
                left_out++;
                continue;
            }
            ran++;
            failed += run_case(c) > 0;
            fflush(stdout);
        }
        test_file_free(file);
    }
    printf("%u ran, %u left out, %u disagree\n", ran, left_out, failed);
    return failed ? 1 : 0;
}
