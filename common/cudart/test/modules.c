/*
 * modules.c: fat binaries made by hand. Texts that follow each other without a NUL, a text with
 * rubbish after it, one that does not parse, containers as nvcc makes them; each must be loaded or
 * refused for what it is.
 */
#include "check.h"
#include "cuda_runtime_api.h"
#include "cudart.h"

typedef struct wrapper {
    int magic, version;
    const void *data;
    void *unused;
} wrapper;
void **__cudaRegisterFatBinary(wrapper *fat);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterVar(void **handle, void *shadow, char *address, const char *name, int external,
                       size_t size, int constant, int global);
int __cudaRegisterFunction(void **handle, const void *stub, char *device_stub, const char *name,
                           int thread_limit, void *tid, void *bid, void *block, void *grid,
                           int *warp_size);

#define HEAD ".version 7.5\n.target sm_75\n.address_size 64\n"
#define ONE  HEAD ".visible .global .align 4 .u32 one = 1;\n"
#define TWO  HEAD ".visible .global .align 4 .u32 two = 2;\n"
#define RUBBISH                                                                                    \
    HEAD ".visible .global .align 4 .u32 three = 3;\n"                                             \
         "\001\377 not PTX"
#define BROKEN HEAD ".visible .global .align 4 nonsense;\n"

static const char together[] = ONE TWO; /* no byte between them */
static const char rubbish[] = RUBBISH, broken[] = BROKEN;
static char shadow[10], stub;

static void **add(const char *text, void *variable, const char *name)
{
    static wrapper fat[9];
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
    check_int(what, 0,
              cudaMemcpyFromSymbol(&value, variable, sizeof value, 0, cudaMemcpyDeviceToHost));
    check_int(what, expected, value);
    if (cudaGetLastError() != cudaSuccess)
        printf("%s\n", cudart_detail());
}

static void check_refused(const char *what, const void *variable, int code, const char *word)
{
    int value = 0;
    check_int(what, code,
              cudaMemcpyFromSymbol(&value, variable, sizeof value, 0, cudaMemcpyDeviceToHost));
    check_int(what, code, cudaGetLastError());
    if (!strstr(cudart_detail(), word))
        check_text(what, word, cudart_detail());
}

/* ---- nvcc's containers: two entries, an address of static storage each ----------------------- */

enum { MACHINE_CODE = 2, PTX = 1, ENTRY_HEADER = 80, ROOM = 512 };

typedef struct part {
    int kind;
    unsigned target;
    const char *text;
    bool compressed;
} part;

static char *put(char *at, const part *p)
{
    uint16_t kind[2] = { (uint16_t)p->kind, 0x101 };
    uint32_t header = ENTRY_HEADER, target = p->target;
    uint64_t bytes = (strlen(p->text) + 15) / 8 * 8;
    uint32_t compressed = p->compressed ? (uint32_t)bytes - 3 : 0;
    memset(at, 0, ENTRY_HEADER + bytes);
    memcpy(at, kind, 4);
    memcpy(at + 4, &header, 4);
    memcpy(at + 8, &bytes, 8);
    memcpy(at + 16, &compressed, 4);
    memcpy(at + 28, &target, 4);
    memcpy(at + ENTRY_HEADER, p->text, strlen(p->text));
    return at + ENTRY_HEADER + bytes;
}

static const char *contain(part first, part second)
{
    static char room[5][ROOM];
    static int count;
    char *made = room[count++], *end = put(put(made + 16, &first), &second);
    uint64_t head[2] = { 0x00100001ba55ed50ull, (uint64_t)(end - made - 16) };
    memcpy(made, head, sizeof head);
    return made;
}

#define IN(n) HEAD ".visible .global .align 4 .u32 chosen = " #n ";\n"

int main(void)
{
    void **first = add(together, &shadow[0], "one");
    __cudaRegisterFunction(first, &stub, &stub, "no_such_kernel", -1, NULL, NULL, NULL, NULL, NULL);
    add(together + strlen(ONE), &shadow[1], "two");
    add(rubbish, &shadow[2], "three");
    add(broken, &shadow[3], "four");
    part code = { MACHINE_CODE, 75, "\177ELF", true }, old = { PTX, 50, IN(50), false },
         own = { PTX, 75, IN(75), false }, newer = { PTX, 90, IN(90), false },
         packed = { PTX, 75, "(/.", true };
    add(contain(old, own), &shadow[4], "chosen");
    add(contain(newer, own), &shadow[5], "chosen");
    add(contain(code, newer), &shadow[6], "chosen");
    add(contain(code, packed), &shadow[7], "chosen");
    add(contain(code, code), &shadow[8], "chosen");
    check_value("first of two texts together", &shadow[0], 1);
    check_value("second of two texts together", &shadow[1], 2);
    check_value("text followed by rubbish", &shadow[2], 3);
    check_refused("text that does not parse", &shadow[3], cudaErrorInvalidPtx, "nonsense");
    check_value("container: the greatest target that the device has", &shadow[4], 75);
    check_value("container: not one beyond the device", &shadow[5], 75);
    check_value("container: beyond the device, where there is no other", &shadow[6], 90);
    check_refused("container: compressed", &shadow[7], cudaErrorInvalidKernelImage,
                  "--compress=false");
    check_refused("container: machine code", &shadow[8], cudaErrorNoKernelImageForDevice, "no PTX");
    check_refused("never registered", &shadow[9], cudaErrorInvalidSymbol, "not a __device__");
    void *arguments[1] = { NULL };
    dim3 one = { 1, 1, 1 };
    check_int("kernel missing in its text", cudaErrorInvalidDeviceFunction,
              cudaLaunchKernel(&stub, one, one, arguments, 0, 0));
    check_int("kernel missing in its text: last error", cudaErrorInvalidDeviceFunction,
              cudaGetLastError());
    __cudaUnregisterFatBinary(first);
    check_refused("unregistered", &shadow[0], cudaErrorInvalidSymbol, "not a __device__");
    return check_report("modules");
}
