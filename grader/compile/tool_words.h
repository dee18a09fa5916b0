/*
 * tool_words.h: what compilers, the linker and the libraries tell in words alone. All words that
 * the grader looks for in what they print stand in the table of tool_words.c; how they write an
 * error with its line is clang_errors.c's and nvcc_errors.c's to know.
 */
#ifndef TOOL_WORDS_H
#define TOOL_WORDS_H

#include <stddef.h>

typedef enum tool { TOOL_CLANG, TOOL_NVCC, TOOL_LINKER, TOOL_LIBC, TOOL_LIBSTDCXX } tool;

typedef enum tool_meaning {
    TOOL_SAYS_NOTHING, /* that is known */
    /* clang */
    TOOL_MAKES_NO_PTX,
    TOOL_FINDS_NO_HEADER,
    TOOL_FINDS_NO_LIBRARY, /* of ready-made kernels, which is no part of the kit */
    /* nvcc: several programs, one of which met a limit */
    TOOL_MET_TIME_LIMIT,
    TOOL_MET_FILE_LIMIT,
    TOOL_MET_MEMORY_LIMIT,
    /* the linker, in front of a name in quotes */
    TOOL_NAME_UNDEFINED,
    TOOL_NAME_DEFINED_TWICE,
    TOOL_OUT_OF_REACH, /* in front of no name: too far apart for its instructions */
    /* the C library, before it calls abort() */
    TOOL_FREED_TWICE,
    TOOL_FREED_NO_ARRAY,
    TOOL_STACK_DAMAGED,
    TOOL_HEAP_DAMAGED,
    /* the C++ library, likewise */
    TOOL_NEW_FAILED,
    TOOL_UNCAUGHT,
    TOOL_PURE_CALL,
    TOOL_TERMINATED /* without an exception */
} tool_meaning;

tool_meaning tool_words_meaning(tool who, const char *printed);

/* The quoted names of which the linker says that, each once, as far as there is room: "a, b".
   Returns how many. */
unsigned tool_words_names(const char *printed, tool_meaning what, char *list, size_t room);

/* Of an exception that nobody caught: its type as the C++ library names it, and what its what()
   says; "" for what is not there. */
void tool_words_exception(const char *printed, char *type, size_t room, char *what,
                          size_t what_room);

#endif
