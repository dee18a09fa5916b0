/*
 * tool_words.c: see tool_words.h.
 */
#include "tool_words.h"

#include <stdio.h>
#include <string.h>

/* Of several that fit, the first counts. */
static const struct {
    tool who;
    const char *words;
    tool_meaning meaning;
} table[] = {
    { TOOL_CLANG, "No available targets are compatible", TOOL_MAKES_NO_PTX },
    { TOOL_CLANG, "unknown target triple 'nvptx", TOOL_MAKES_NO_PTX },
    { TOOL_CLANG, "'thrust/", TOOL_FINDS_NO_LIBRARY },
    { TOOL_CLANG, "'cub/", TOOL_FINDS_NO_LIBRARY },
    { TOOL_CLANG, "CUB requires a definition of CUB_NS_QUALIFIER", TOOL_FINDS_NO_LIBRARY },
    { TOOL_CLANG, "' file not found", TOOL_FINDS_NO_HEADER },
    { TOOL_NVCC, "CPU time limit exceeded", TOOL_MET_TIME_LIMIT },
    { TOOL_NVCC, "died due to signal 24", TOOL_MET_TIME_LIMIT },
    { TOOL_NVCC, "File size limit exceeded", TOOL_MET_FILE_LIMIT },
    { TOOL_NVCC, "died due to signal 25", TOOL_MET_FILE_LIMIT },
    { TOOL_NVCC, "out of memory", TOOL_MET_MEMORY_LIMIT },
    { TOOL_NVCC, "bad_alloc", TOOL_MET_MEMORY_LIMIT },
    { TOOL_NVCC, "Cannot allocate memory", TOOL_MET_MEMORY_LIMIT },
    { TOOL_NVCC, "virtual memory exhausted", TOOL_MET_MEMORY_LIMIT },
    { TOOL_NVCC, "Killed signal terminated program", TOOL_MET_MEMORY_LIMIT },
    { TOOL_NVCC, "died due to signal", TOOL_MET_MEMORY_LIMIT },
    { TOOL_LINKER, "undefined reference to `", TOOL_NAME_UNDEFINED },
    { TOOL_LINKER, "multiple definition of `", TOOL_NAME_DEFINED_TWICE },
    { TOOL_LINKER, "relocation truncated to fit", TOOL_OUT_OF_REACH },
    { TOOL_LIBC, "double free", TOOL_FREED_TWICE },
    { TOOL_LIBC, "free(): invalid", TOOL_FREED_NO_ARRAY },
    { TOOL_LIBC, "munmap_chunk(): invalid", TOOL_FREED_NO_ARRAY },
    { TOOL_LIBC, "stack smashing", TOOL_STACK_DAMAGED },
    { TOOL_LIBC, "malloc()", TOOL_HEAP_DAMAGED },
    { TOOL_LIBC, "corrupted", TOOL_HEAP_DAMAGED },
    { TOOL_LIBC, "free():", TOOL_HEAP_DAMAGED },
    { TOOL_LIBSTDCXX, "instance of 'std::bad_alloc'", TOOL_NEW_FAILED },
    { TOOL_LIBSTDCXX, "terminate called after throwing an instance of '", TOOL_UNCAUGHT },
    { TOOL_LIBSTDCXX, "pure virtual method called", TOOL_PURE_CALL },
    { TOOL_LIBSTDCXX, "terminate called without an active exception", TOOL_TERMINATED },
};

enum { ROWS = sizeof table / sizeof table[0] };

tool_meaning tool_words_meaning(tool who, const char *printed)
{
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].who == who && strstr(printed, table[i].words))
            return table[i].meaning;
    return TOOL_SAYS_NOTHING;
}

static void add_names(const char *printed, const char *words, char *list, size_t room,
                      unsigned *count)
{
    for (const char *at = printed; (at = strstr(at, words)) != NULL; at++) {
        char quoted[121];
        const size_t used = strlen(list);
        snprintf(quoted, sizeof quoted, "%.120s", at + strlen(words));
        quoted[strcspn(quoted, "'\n")] = '\0';
        const size_t length = strlen(quoted);
        if (strstr(list, quoted) || used + length + 4 > room)
            continue;
        snprintf(list + used, room - used, "%s%s", used ? ", " : "", quoted);
        *count += 1;
    }
}

void tool_words_exception(const char *printed, char *type, size_t room, char *what,
                          size_t what_room)
{
    static const char before[] = "throwing an instance of '", text[] = "\n  what():  ";
    const char *at = strstr(printed, before), *said = at ? strstr(at, text) : NULL;

    type[0] = what[0] = '\0';
    if (!at)
        return;
    at += strlen(before);
    snprintf(type, room, "%.*s", (int)strcspn(at, "'\n"), at);
    if (said) {
        said += strlen(text);
        snprintf(what, what_room, "%.*s", (int)strcspn(said, "\n"), said);
    }
}

unsigned tool_words_names(const char *printed, tool_meaning what, char *list, size_t room)
{
    unsigned count = 0;

    list[0] = '\0';
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].meaning == what)
            add_names(printed, table[i].words, list, room, &count);
    return count;
}
