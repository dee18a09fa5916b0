/*
 * executable.c: see executable.h.
 */
#define _GNU_SOURCE
#include "executable.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>

static struct {
    bool known;
    /* of its code: load address minus file address, and its extent in memory */
    uint64_t bias, low, high;
} code;

/* The first object is the executable itself. */
static int look(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    code.bias = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            code.low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            code.high = code.low + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

uint64_t base_executable_address(uint64_t in_memory)
{
    if (!code.known) {
        dl_iterate_phdr(look, NULL);
        code.known = true;
    }
    return in_memory >= code.low && in_memory < code.high ? in_memory - code.bias : 0;
}
