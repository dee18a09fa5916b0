/*
 * error.c: CUDA's error state and error texts. The rules are in state.h.
 *
 * Which code a fault leaves: as an H200 does where a GPU notices the fault at all (test/errors.cu,
 * run there with CUDA 13.0). A GPU hangs in a deadlock; a watchdog would end it with
 * cudaErrorLaunchTimeout, so that code is given. Barrier divergence and a bad .sync mask are
 * undefined on a GPU; they get the unspecific cudaErrorLaunchFailure. A stack overflow gets the
 * code that is documented for it; the H200 said cudaErrorIllegalAddress.
 */
#include <stdarg.h>
#include <stdio.h>

#include "state.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct {
    cudaError_t code;
    const char *name, *text;
} error_table[] = {
#define ROW(name, value, text) { name, #name, text },
    CUDART_ERRORS(ROW)
#undef ROW
};

static const cudaError_t fault_table[SIMT_FINDING_KINDS] = {
    [SIMT_OUT_OF_BOUNDS] = cudaErrorIllegalAddress,
    [SIMT_USE_AFTER_FREE] = cudaErrorIllegalAddress,
    [SIMT_BAD_FREE] = cudaErrorIllegalAddress,
    [SIMT_MISALIGNED] = cudaErrorMisalignedAddress,
    [SIMT_BARRIER_DIVERGENCE] = cudaErrorLaunchFailure,
    [SIMT_BAD_SYNC] = cudaErrorLaunchFailure,
    [SIMT_DEADLOCK] = cudaErrorLaunchTimeout,
    [SIMT_BUDGET] = cudaErrorLaunchTimeout,
    [SIMT_UNSUPPORTED] = cudaErrorIllegalInstruction,
    [SIMT_TRAP] = cudaErrorLaunchFailure,
    [SIMT_ASSERT] = cudaErrorAssert,
    [SIMT_STACK_OVERFLOW] = cudaErrorHardwareStackError,
};

int cudart_fault_code(simt_finding_kind kind)
{
    return (unsigned)kind < SIMT_FINDING_KINDS ? (int)fault_table[kind] : 0;
}

/* The program has this code in hand: it has asked, or has looked at what a call returned. */
static void told(cudaError_t error)
{
    if (error != cudaSuccess)
        cudart.told = error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    told(error);
    for (size_t i = 0; i < COUNT(error_table); i++)
        if (error_table[i].code == error)
            return error_table[i].name;
    return "unrecognized error code";
}

static const char *text_of(cudaError_t error)
{
    for (size_t i = 0; i < COUNT(error_table); i++)
        if (error_table[i].code == error)
            return error_table[i].text;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    told(error);
    return text_of(error);
}

cudaError_t cudart_done(cudaError_t error)
{
    if (error != cudaSuccess) {
        cudart.last = error;
        if (!cudart.explained)
            (void)cudart_because(error, "%s", text_of(error));
    }
    cudart.explained = false;
    return error;
}

cudaError_t cudart_because(cudaError_t error, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(cudart.detail, sizeof cudart.detail, format, list);
    va_end(list);
    cudart.advice[0] = '\0';
    cudart.explained = true;
    return error;
}

cudaError_t cudart_advise(cudaError_t error, const char *advice)
{
    snprintf(cudart.advice, sizeof cudart.advice, "%s", advice);
    return error;
}

const char *cudart_detail(void) { return cudart.detail; }

const char *cudart_advice(void) { return cudart.advice; }

void cudart_forget(void)
{
    cudart.last = cudart.pending = cudart.sticky = cudart.told = cudaSuccess;
    cudart.detail[0] = cudart.advice[0] = '\0';
}

void cudart_left_behind(int error, const char *detail, const char *advice)
{
    cudart.last = (cudaError_t)error;
    if (detail[0]) {
        snprintf(cudart.detail, sizeof cudart.detail, "%s", detail);
        snprintf(cudart.advice, sizeof cudart.advice, "%s", advice);
    }
}

int cudart_untold(void) { return cudart.last == cudart.told ? cudaSuccess : cudart.last; }

cudaError_t cudaPeekAtLastError(void)
{
    told(cudart.last);
    return cudart.last;
}
