/*
 * clang_pass.c: see clang_pass.h.
 */
#include "clang_pass.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"

/* The warnings that a student should see. Starters have variables and parameters that only the
   solution uses. */
static const char *const asked_warnings[] = { "-Wall",
                                              "-Wno-unused",
                                              "-Wunused-value",
                                              "-Wunused-result",
                                              "-Wshadow",
                                              "-Wfloat-conversion",
                                              "-Wunreachable-code",
                                              "-Wno-unknown-pragmas",
                                              "-Wconditional-uninitialized",
                                              NULL };

/* CUB and Thrust, where they are installed, refuse the last one: a lab is to be written without
   them. What they say then is in tool_words.c. */
static const char *const usual[] = { "-I" SCANLAB_SOURCE_DIR "/common/cudart/include",
                                     "-fno-color-diagnostics",
                                     "-ferror-limit=20",
                                     "-fno-crash-diagnostics",
                                     "-ftemplate-backtrace-limit=1",
                                     "-fmacro-backtrace-limit=1",
                                     "-DCUB_NS_PREFIX=",
                                     NULL };

static const char *const to_ir[] = {
    "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-Xclang", "-debug-info-kind=limited", NULL
};

/* Each function by itself: which kernels it may launch is read from the object. */
static const char *const with_stand_in[] = { "-ffunction-sections",
                                             "-Xclang",
                                             "-fcuda-include-gpubinary",
                                             "-Xclang",
                                             SCANLAB_SOURCE_DIR "/common/cudart/stand_in.ptx",
                                             NULL };

static const char *const keep_unset[] = { SCANLAB_CLANG_KEEP_UNSET };

static bool is_ours(const char *clang) { return strcmp(clang, SCANLAB_CLANG) == 0; }

void clang_pass_add(clang_command *c, const char *argument)
{
    if (c->count + 1 < CLANG_ARGUMENTS)
        c->arguments[c->count++] = argument;
    c->arguments[c->count] = NULL;
}

static void add_all(clang_command *c, const char *const *more)
{
    while (*more)
        clang_pass_add(c, *more++);
}

void clang_pass_command(const char *clang, const clang_pass *p, clang_command *c)
{
    c->count = 0;
    snprintf(c->flags, sizeof c->flags, "@%s/common/cudart/%s.flags", SCANLAB_SOURCE_DIR,
             p->device ? "device" : "host");
    clang_pass_add(c, clang);
    clang_pass_add(c, c->flags);
    add_all(c, usual);
    if (p->quiet)
        clang_pass_add(c, "-w");
    else
        add_all(c, asked_warnings);
    /* another clang may call it otherwise */
    if (p->device && is_ours(clang))
        add_all(c, keep_unset);
    /* host variables that were never set are NaN, or wild, in every run */
    if (!p->whole)
        clang_pass_add(c, "-ftrivial-auto-var-init=pattern");
    if (p->device && !p->whole)
        add_all(c, to_ir);
    if (!p->device)
        add_all(c, with_stand_in);
    if (p->without_steps)
        clang_pass_add(c, "-DLAB_WITHOUT_STEPS");
    if (p->precompiled) {
        clang_pass_add(c, "-include-pch");
        clang_pass_add(c, clang_pass_headers(clang, p->device));
    }
}

const char *clang_pass_headers(const char *clang, bool device)
{
    const char *const file = device ? SCANLAB_DEVICE_HEADERS : SCANLAB_HOST_HEADERS;
    struct stat facts;

    return is_ours(clang) && stat(file, &facts) == 0 && facts.st_size > 0 ? file : "";
}
