/*
 * tape.c: see tape.h. __real_NAME is the engine's own NAME, and __wrap_NAME what the program gets.
 */
#define _GNU_SOURCE
#include "tape.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

enum { MODULES = 16, KERNELS = 1024, TEXT = 4096 }; /* TEXT: of a line without its bytes */

typedef struct line { /* of the recording; of a module: its index */
    char *text;
    int module;
} line;

static bool on;
static line *lines;
static size_t count;
static simt_addr *allocation;
static unsigned allocations, modules;
static struct {
    char *ptx;
    size_t bytes;
} module[MODULES];
static const char *lacks;
static struct { /* handles that the program has asked for */
    unsigned function;
    char *name;
    bool launched;
} kernel[KERNELS];
static unsigned kernels;

void tape_begin(void) { on = true; }
simt_addr tape_allocation(unsigned k) { return k && k <= allocations ? allocation[k - 1] : 0; }
unsigned tape_allocations(void) { return allocations; }
const char *tape_lacks(void) { return lacks; }

/* ---- lines ----------------------------------------------------------------------------------- */

static void *more(void *array, size_t n, size_t size)
{
    void *grown = n & (n - 1) ? array : realloc(array, (n ? 2 * n : 1) * size);
    if (!grown)
        die(3, "there is not enough memory for the recording");
    return grown;
}

static void add(char *text, int of_module)
{
    lines = more(lines, count, sizeof *lines);
    lines[count++] = (line){ text, of_module };
}

/* The text that format makes, then the bytes in hexadecimal, if there are any. */
static void take(const void *bytes, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void take(const void *bytes, size_t size, const char *format, ...)
{
    const unsigned char *from = bytes;
    char *text = malloc(TEXT + 2 * size);
    va_list args;

    if (!on || !text) {
        free(text);
        return;
    }
    va_start(args, format);
    int at = vsnprintf(text, TEXT, format, args);
    va_end(args);
    for (size_t k = 0; k < size; k++)
        at += sprintf(text + at, "%02x", from[k]);
    add(text, -1);
}

/* ---- calls ----------------------------------------------------------------------------------- */

#define WRAPPED(type, name, ...)                                                                   \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

WRAPPED(simt_status, simt_module_load_managed, simt_device *d, const char *ptx, size_t bytes,
        const char *name, const simt_managed *managed, unsigned count, unsigned *index)
{
    if (on && modules == MODULES)
        lacks = "more than 16 modules";
    else if (on && count)
        lacks = "__managed__ variables";
    else if (on) {
        module[modules].ptx = strndup(ptx, bytes);
        module[modules].bytes = bytes;
        add(NULL, (int)modules++);
    }
    return __real_simt_module_load_managed(d, ptx, bytes, name, managed, count, index);
}

WRAPPED(simt_status, simt_function, simt_device *d, unsigned of_module, const char *name,
        simt_function_info *info)
{
    const simt_status status = __real_simt_function(d, of_module, name, info);
    if (status == SIMT_OK && kernels < KERNELS) {
        kernel[kernels].function = info->function;
        kernel[kernels++].name = strdup(name);
    }
    return status;
}

WRAPPED(simt_status, simt_alloc, simt_device *d, size_t bytes, simt_addr *address)
{
    const simt_status status = __real_simt_alloc(d, bytes, address);
    if (on && status == SIMT_OK) {
        take(NULL, 0, "alloc 0x%llx %zu", (unsigned long long)*address, bytes);
        allocation = more(allocation, allocations, sizeof *allocation);
        allocation[allocations++] = *address;
    }
    return status;
}

WRAPPED(simt_status, simt_alloc_common, simt_device *d, size_t bytes, simt_addr *address)
{
    lacks = "memory that host and device share";
    return __real_simt_alloc_common(d, bytes, address);
}

WRAPPED(simt_status, simt_free, simt_device *d, simt_addr address)
{
    take(NULL, 0, "free 0x%llx", (unsigned long long)address);
    return __real_simt_free(d, address);
}

WRAPPED(simt_status, simt_mark_data, simt_device *d, simt_addr address)
{
    take(NULL, 0, "data 0x%llx", (unsigned long long)address);
    return __real_simt_mark_data(d, address);
}

WRAPPED(simt_status, simt_forget, simt_device *d, simt_addr address, size_t bytes)
{
    take(NULL, 0, "forget 0x%llx %zu", (unsigned long long)address, bytes);
    return __real_simt_forget(d, address, bytes);
}

WRAPPED(simt_status, simt_write, simt_device *d, simt_addr to, const void *from, size_t bytes)
{
    if (bytes)
        take(from, bytes, "write 0x%llx ", (unsigned long long)to);
    return __real_simt_write(d, to, from, bytes);
}

WRAPPED(simt_status, simt_fill, simt_device *d, simt_addr to, uint8_t value, size_t bytes)
{
    take(NULL, 0, "fill 0x%llx %u %zu", (unsigned long long)to, value, bytes);
    return __real_simt_fill(d, to, value, bytes);
}

WRAPPED(simt_status, simt_copy, simt_device *d, simt_addr to, simt_addr from, size_t bytes)
{
    take(NULL, 0, "copy 0x%llx 0x%llx %zu", (unsigned long long)to, (unsigned long long)from,
         bytes);
    return __real_simt_copy(d, to, from, bytes);
}

WRAPPED(simt_status, simt_read, simt_device *d, void *to, simt_addr from, size_t bytes)
{
    take(NULL, 0, "read 0x%llx %zu", (unsigned long long)from, bytes);
    return __real_simt_read(d, to, from, bytes);
}

WRAPPED(simt_status, simt_launch, simt_device *d, const simt_launch_args *a, simt_report *report)
{
    unsigned k = 0;
    while (k < kernels && kernel[k].function != a->function)
        k++;
    if (k == kernels)
        lacks = "a kernel without a name";
    else {
        kernel[k].launched = true;
        take(a->params, a->param_bytes, "launch %s %u %u %u %u %u %u %zu %d %s", kernel[k].name,
             a->grid.x, a->grid.y, a->grid.z, a->block.x, a->block.y, a->block.z, a->dynamic_shared,
             a->cooperative, a->param_bytes ? "" : "-");
    }
    return __real_simt_launch(d, a, report);
}

/* ---- modules --------------------------------------------------------------------------------- */

static bool is_launched(const char *name, size_t length)
{
    for (unsigned k = 0; k < kernels; k++)
        if (kernel[k].launched && strlen(kernel[k].name) == length &&
            strncmp(kernel[k].name, name, length) == 0)
            return true;
    return false;
}

/* The name of the kernel that begins in this line; null: none does. */
static const char *kernel_of(const char *text, size_t *length)
{
    static const char *const heads[] = { ".visible .entry ", ".weak .entry ", ".entry " };
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        if (strncmp(text, heads[k], strlen(heads[k])) == 0) {
            text += strlen(heads[k]);
            *length = strcspn(text, "( \n");
            return text;
        }
    return NULL;
}

/* .file 1 "/a/b/c.cu" -> .file 1 "c.cu" */
static void write_line(FILE *out, const char *text, size_t length)
{
    const char *quote = memchr(text, '"', length), *name = quote;
    const char *file = text + strspn(text, " \t");

    if (quote && strncmp(file, ".file", 5) == 0) {
        for (const char *c = quote + 1; c < text + length && *c != '"'; c++)
            name = *c == '/' ? c : name;
        fwrite(text, 1, (size_t)(quote + 1 - text), out);
        name++;
        fwrite(name, 1, (size_t)(text + length - name), out);
    } else {
        fwrite(text, 1, length, out);
    }
    fputc('\n', out);
}

/* Without what is left out: kernels never launched, and what debuggers read. */
static void write_ptx(FILE *out, const char *ptx)
{
    const char *until = NULL; /* the line that ends what is left out */

    for (const char *at = ptx, *end; *at; at = end + (*end == '\n')) {
        end = at + strcspn(at, "\n");
        const size_t length = (size_t)(end - at), blank = strspn(at, " \t");
        size_t name_length;
        const char *name = kernel_of(at, &name_length);
        if (!until && name && !is_launched(name, name_length))
            until = "}";
        else if (!until && strncmp(at + blank, ".section", 8) == 0 && !memchr(at, '}', length))
            until = "\t}";
        if (!until)
            write_line(out, at, length);
        else if (length == strlen(until) && strncmp(at, until, length) == 0)
            until = NULL;
    }
}

void tape_write(FILE *out)
{
    for (size_t k = 0; k < count; k++) {
        char *text = NULL;
        size_t bytes;
        if (lines[k].module < 0) {
            fprintf(out, "%s\n", lines[k].text);
            continue;
        }
        FILE *ptx = open_memstream(&text, &bytes);
        if (!ptx)
            die(3, "there is not enough memory for the recording");
        write_ptx(ptx, module[lines[k].module].ptx);
        fclose(ptx);
        fprintf(out, "module %zu\n%s\n", bytes, text);
        free(text);
    }
}
