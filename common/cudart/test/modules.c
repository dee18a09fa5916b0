/*
 * modules.c: fat binaries made by hand. Texts that follow each other without a NUL, a text with rubbish after it, one that does not
 * parse, one made by nvcc; each must be loaded or refused for what it is.
 */
#include "check.h"
#include "cuda_runtime_api.h"
#include "cudart.h"

typedef struct wrapper { int magic, version; const void *data; void *unused; } wrapper;
void **__cudaRegisterFatBinary(wrapper *fat);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterVar(void **handle, void *shadow, char *address, const char *name, int external, size_t size, int constant,
                       int global);
int __cudaRegisterFunction(void **handle, const void *stub, char *device_stub, const char *name, int thread_limit, void *tid,
                           void *bid, void *block, void *grid, int *warp_size);

#define HEAD ".version 7.5\n.target sm_75\n.address_size 64\n"
#define ONE HEAD ".visible .global .align 4 .u32 one = 1;\n"
#define TWO HEAD ".visible .global .align 4 .u32 two = 2;\n"
#define RUBBISH HEAD ".visible .global .align 4 .u32 three = 3;\n" "\001\377 not PTX"
#define BROKEN HEAD ".visible .global .align 4 nonsense;\n"

static const char together[] = ONE TWO;         /* no byte between them */
static const char rubbish[] = RUBBISH, broken[] = BROKEN, made_by_nvcc[] = "\x50\xed\x55\xba";
static char shadow[6], stub;

static void **add(const char *text, void *variable, const char *name)
{
    static wrapper fat[6];
    static int count;
    wrapper *made = &fat[count++];
    *made = (wrapper){ 0x466243b1, 1, text, NULL };
    void **handle = __cudaRegisterFatBinary(made);
    __cudaRegisterVar(handle, variable, variable, name, 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    return handle;
}

static void check_value(const char *what, const void *variable, int expected)
{
    int value = 0;
    check_int(what, 0, cudaMemcpyFromSymbol(&value, variable, sizeof value, 0, cudaMemcpyDeviceToHost));
    check_int(what, expected, value);
    if (cudaGetLastError() != cudaSuccess)
        printf("%s\n", cudart_detail());
}

static void check_refused(const char *what, const void *variable, int code, const char *word)
{
    int value = 0;
    check_int(what, code, cudaMemcpyFromSymbol(&value, variable, sizeof value, 0, cudaMemcpyDeviceToHost));
    check_int(what, code, cudaGetLastError());
    if (!strstr(cudart_detail(), word))
        check_text(what, word, cudart_detail());
}

int main(void)
{
    void **first = add(together, &shadow[0], "one");
    __cudaRegisterFunction(first, &stub, &stub, "no_such_kernel", -1, NULL, NULL, NULL, NULL, NULL);
    add(together + strlen(ONE), &shadow[1], "two");
    add(rubbish, &shadow[2], "three");
    add(broken, &shadow[3], "four");
    add(made_by_nvcc, &shadow[4], "five");
    check_value("first of two texts together", &shadow[0], 1);
    check_value("second of two texts together", &shadow[1], 2);
    check_value("text followed by rubbish", &shadow[2], 3);
    check_refused("text that does not parse", &shadow[3], cudaErrorInvalidPtx, "nonsense");
    check_refused("made by nvcc", &shadow[4], cudaErrorInvalidKernelImage, "nvcc");
    check_refused("never registered", &shadow[5], cudaErrorInvalidSymbol, "no __device__");
    void *arguments[1] = { NULL };
    dim3 one = { 1, 1, 1 };
    check_int("kernel missing in its text", cudaErrorInvalidDeviceFunction, cudaLaunchKernel(&stub, one, one, arguments, 0, 0));
    check_int("kernel missing in its text: last error", cudaErrorInvalidDeviceFunction, cudaGetLastError());
    __cudaUnregisterFatBinary(first);
    check_refused("unregistered", &shadow[0], cudaErrorInvalidSymbol, "no __device__");
    return check_report("modules");
}
