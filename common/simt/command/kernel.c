/*
 * kernel.c: one launch of a bare PTX kernel, with arguments of the command line, watched like a
 * program's. See command.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "file.h"
#include "path.h"
#include "tell.h"
#include "watch.h"

enum { LARGEST_PTX = 1 << 28, MOST = 64 };

simt_device *kernel_load(const char *name, const char *text, size_t bytes,
                         const simt_config *config, unsigned *module)
{
    simt_device *device;
    if (simt_open(config, &device) != SIMT_OK)
        die(STATUS_MISSING, "the simulated device cannot be opened: not enough address space");
    if (simt_module_load(device, text, bytes, name, module) != SIMT_OK)
        die(STATUS_FOUND, "%s", simt_error(device));
    return device;
}

/* _Z3addPKfS0_Pfi is add's. */
static bool is_called(const char *mangled, const char *name)
{
    size_t length = strlen(name);
    char number[24];
    if (strcmp(mangled, name) == 0)
        return true;
    int n = snprintf(number, sizeof number, "_Z%zu", length);
    return strncmp(mangled, number, (size_t)n) == 0 && strncmp(mangled + n, name, length) == 0;
}

void kernel_list_names(simt_device *device, unsigned module)
{
    const char *name;
    for (unsigned k = 0; (name = simt_kernel_name(device, module, k)); k++)
        fprintf(stderr, "  %s\n", name);
}

static const char *find_kernel(simt_device *device, unsigned module, const char *file,
                               const char *wanted)
{
    const char *name, *found = NULL;
    unsigned count = 0;

    for (unsigned k = 0; (name = simt_kernel_name(device, module, k)); k++)
        if (!wanted || is_called(name, wanted)) {
            found = name;
            count++;
            if (wanted && strcmp(name, wanted) == 0)
                return name;
        }
    if (count == 1)
        return found;
    if (count > 1)
        tell_harmless(stderr, "simt: %s has %u kernels%s%s; choose one with --kernel:", file, count,
                      wanted ? " called " : "", wanted ? wanted : "");
    else if (simt_kernel_name(device, module, 0))
        tell_harmless(stderr, "simt: %s has no kernel \"%s\"; it has:", file, wanted);
    else
        die(STATUS_USAGE, "%s has no kernel (.entry)", file);
    kernel_list_names(device, module);
    exit(STATUS_USAGE);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void check_arguments(const simt_function_info *info, const kernel_options *k,
                            const argument *a)
{
    if (info->params != k->count)
        die(STATUS_USAGE,
            "the kernel takes %u parameter%s, and there %s %u --arg; in order, one for each",
            info->params, info->params == 1 ? "" : "s", k->count == 1 ? "is" : "are", k->count);
    for (unsigned i = 0; i < k->count; i++) {
        size_t bytes = a[i].array ? 8 : a[i].bytes;
        if (info->param_size[i] != bytes)
            die(STATUS_USAGE, "parameter %u of the kernel has %zu bytes, and --arg %s %s %zu",
                i + 1, info->param_size[i], k->arguments[i],
                a[i].array ? "is an address of" : "has", bytes);
    }
}

/* Arrays go to the device; parameters into the block. */
static void place_arguments(simt_device *device, const simt_function_info *info, unsigned count,
                            const argument *a, simt_addr *address, unsigned char *params)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t value = a[i].scalar;
        if (a[i].array) {
            if (simt_alloc(device, a[i].count * a[i].bytes, &address[i]) != SIMT_OK ||
                (a[i].in &&
                 simt_write(device, address[i], a[i].data, a[i].count * a[i].bytes) != SIMT_OK))
                die(STATUS_MISSING, "%s", simt_error(device));
            value = address[i];
        }
        memcpy(params + info->param_offset[i], &value, info->param_size[i]);
    }
}

static bool fetch_results(simt_device *device, unsigned count, argument *a,
                          const simt_addr *address)
{
    bool fine = true;
    for (unsigned i = 0; i < count; i++) {
        char name[32];
        base_error error;
        snprintf(name, sizeof name, "argument %u,", i + 1);
        if (a[i].out &&
            simt_read(device, a[i].data, address[i], a[i].count * a[i].bytes) != SIMT_OK)
            error_set(&error, "%s", simt_error(device));
        else if (!a[i].out || values_write(&a[i], name, &error))
            continue;
        fprintf(stderr, "simt: %s\n", error.text);
        fine = false;
    }
    return fine;
}

/* ---- the launch ------------------------------------------------------------------------------ */

static void plain_name(const char *mangled, const char *wanted, char *name, size_t room)
{
    size_t length = strncmp(mangled, "_Z", 2) == 0 ? strtoul(mangled + 2, NULL, 10) : 0;
    const char *at = mangled + 2 + strspn(mangled + (length ? 2 : 0), "0123456789");
    if (length && length <= strlen(at))
        snprintf(name, room, "%.*s", (int)length, at);
    else
        snprintf(name, room, "%s", wanted ? wanted : mangled);
}

int kernel_run(const char *path, const settings *s, const kernel_options *k)
{
    static simt_report report;
    static argument arguments[MOST];
    simt_addr address[MOST] = { 0 };
    unsigned char params[8 * MOST + 4096] = { 0 };
    char *text, name[64];
    size_t bytes;
    unsigned module;
    base_error error;
    simt_function_info info;

    if (!file_read(path, LARGEST_PTX, &text, &bytes, &error))
        die(STATUS_USAGE, "%s", error.text);
    if (k->block.x == 0)
        die(STATUS_USAGE, "the size of a block is missing: --block 256, or --block x,y,z");
    for (unsigned i = 0; i < k->count; i++)
        if (!values_parse(k->arguments[i], s->config.seed + i, &arguments[i], &error))
            die(STATUS_USAGE, "%s", error.text);
    simt_device *device = kernel_load(path_name(path), text, bytes, &s->config, &module);
    const char *kernel = find_kernel(device, module, path, k->kernel);
    if (simt_function(device, module, kernel, &info) != SIMT_OK)
        die(STATUS_USAGE, "%s", simt_error(device));
    check_arguments(&info, k, arguments);
    place_arguments(device, &info, k->count, arguments, address, params);
    plain_name(kernel, k->kernel, name, sizeof name);
    if (!watch_begin(s, path_name(path), &error))
        die(STATUS_USAGE, "%s", error.text);
    watch_ptx_file(path, text);
    watch_device(device);
    watch_launching(device, name);
    simt_launch_args args = { .function = info.function,
                              .grid = k->grid,
                              .block = k->block,
                              .dynamic_shared = k->shared,
                              .params = params,
                              .param_bytes = info.param_bytes,
                              .cooperative = k->cooperative };
    simt_status status = simt_launch(device, &args, &report);
    bool ran = status == SIMT_OK || status == SIMT_FAULT;
    watch_launched(device, name, &args, &report, ran ? NULL : simt_error(device),
                   ran ? NULL : simt_advice(device));
    if (ran)
        fwrite(report.printed, 1, report.printed_bytes, stdout);
    bool fine = fetch_results(device, status == SIMT_OK ? k->count : 0, arguments, address);
    for (unsigned i = 0; i < k->count; i++)
        if (address[i])
            simt_free(device, address[i]);
    if (s->leaks && status == SIMT_OK)
        simt_leaks(device); /* of the kernel's own malloc */
    watch_close(device);
    fflush(stdout);
    bool found = watch_end();
    for (unsigned i = 0; i < k->count; i++)
        free(arguments[i].data);
    simt_close(device);
    free(text);
    return !fine ? STATUS_MISSING : found ? STATUS_FOUND : 0;
}
