/*
 * error.c: CUDA's error state and error texts. The rules are in state.h.
 *
 * Which code a fault leaves: as an H200 does where a GPU notices the fault at all (test/errors.cu,
 * run there with CUDA 13.0). A GPU hangs in a deadlock; a watchdog would end it with
 * cudaErrorLaunchTimeout, so that code is given. Barrier divergence and a bad .sync mask are
 * undefined on a GPU; they get the unspecific cudaErrorLaunchFailure. A stack overflow gets the
 * code that is documented for it; the H200 said cudaErrorIllegalAddress.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* The last failure of any thread that no thread has asked about. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    cudaError_t error;
    char detail[sizeof cudart_mine.detail], advice[sizeof cudart_mine.advice];
} unchecked;

static void note_unchecked(cudaError_t error)
{
    pthread_mutex_lock(&lock);
    unchecked.error = error;
    memcpy(unchecked.detail, cudart_mine.detail, sizeof unchecked.detail);
    memcpy(unchecked.advice, cudart_mine.advice, sizeof unchecked.advice);
    pthread_mutex_unlock(&lock);
}

static cudart_asks *asks;

void cudart_observe_asks(cudart_asks *observer) { asks = observer; }

void cudart_checked(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    if (error == cudart_mine.refused && asks)
        asks();
    if (error == cudart_mine.refused)
        cudart_mine.refused = cudaSuccess;
    cudart_mine.checked = error;
    pthread_mutex_lock(&lock);
    if (unchecked.error == error)
        unchecked.error = cudaSuccess;
    pthread_mutex_unlock(&lock);
}

const char *cudaGetErrorName(cudaError_t error)
{
    cudart_checked(error);
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
    cudart_checked(error);
    return text_of(error);
}

cudaError_t cudart_done(cudaError_t error)
{
    if (error != cudaSuccess) {
        cudart_mine.last = error;
        if (!cudart_mine.explained)
            (void)cudart_because(error, "%s", text_of(error));
        note_unchecked(error == cudart_mine.checked ? cudaSuccess : error);
    }
    cudart_mine.explained = false;
    return error;
}

cudaError_t cudart_because(cudaError_t error, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(cudart_mine.detail, sizeof cudart_mine.detail, format, list);
    va_end(list);
    cudart_mine.advice[0] = '\0';
    cudart_mine.explained = true;
    return error;
}

cudaError_t cudart_advise(cudaError_t error, const char *advice)
{
    snprintf(cudart_mine.advice, sizeof cudart_mine.advice, "%s", advice);
    return error;
}

const char *cudart_detail(void) { return cudart_mine.detail; }

const char *cudart_advice(void) { return cudart_mine.advice; }

void cudart_forget(void)
{
    cudart.pending = cudart.sticky = cudaSuccess;
    cudart_mine.last = cudart_mine.checked = cudart_mine.refused = cudaSuccess;
    cudart_mine.detail[0] = cudart_mine.advice[0] = '\0';
    pthread_mutex_lock(&lock);
    unchecked.error = cudaSuccess;
    pthread_mutex_unlock(&lock);
}

void cudart_left_behind(int error, const char *detail, const char *advice)
{
    cudart_mine.last = (cudaError_t)error;
    if (detail[0]) {
        snprintf(cudart_mine.detail, sizeof cudart_mine.detail, "%s", detail);
        snprintf(cudart_mine.advice, sizeof cudart_mine.advice, "%s", advice);
    }
}

int cudart_unchecked(void)
{
    if (cudart_mine.last != cudart_mine.checked && cudart_mine.last != cudaSuccess)
        return cudart_mine.last;
    pthread_mutex_lock(&lock);
    const cudaError_t error = unchecked.error;
    if (error != cudaSuccess) {
        memcpy(cudart_mine.detail, unchecked.detail, sizeof unchecked.detail);
        memcpy(cudart_mine.advice, unchecked.advice, sizeof unchecked.advice);
    }
    pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    cudart_checked(cudart_mine.last);
    return cudart_mine.last;
}
