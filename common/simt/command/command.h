/*
 * command.h: the parts of the `simt` command. Each takes the words after its name and returns the
 * exit status.
 *
 * Exit status of the command itself: 0 fine, 1 something was found or does not compile, 2 usage, 3
 * something is missing or the kit fails.
 */
#ifndef SIMT_COMMAND_H
#define SIMT_COMMAND_H

#include "settings.h"

enum { STATUS_FOUND = 1, STATUS_USAGE = 2, STATUS_MISSING = 3 };

int command_cc(int count, char **words);                        /* cc.c */
int command_watch(settings_what what, int count, char **words); /* run.c: run, trace, stats */
int command_disasm(int count, char **words);                    /* run.c */

/* nvcc.c: options of nvcc, and what they mean here. */
typedef enum nvcc_sense {
    NVCC_NONE, /* none of nvcc's own */
    NVCC_NOTHING,
    NVCC_NOTE,     /* nothing to do; a note is printed already */
    NVCC_BOTH,     /* value: an option for the compiler, both sides */
    NVCC_HOST,     /* value: options for the host's side, separated by commas */
    NVCC_LINKER,   /* value: options for the linker, separated by commas */
    NVCC_ARCH,     /* value: a GPU's architecture: nvcc_target */
    NVCC_FMAD,     /* value: true or false */
    NVCC_LANGUAGE, /* value: of the files after it: cu, c++, c */
    NVCC_OBJECTS,  /* as -c */
    NVCC_PREFIX,
    NVCC_REFUSED /* never returned */
} nvcc_sense;
/* words[*at] and, where that has a value of its own, the next word; *at moves onto it. What is
   refused ends the program. */
nvcc_sense nvcc_read(int count, char **words, int *at, const char **value);
unsigned nvcc_target(const char *architecture); /* 75, or 80 for that and all later ones */
bool nvcc_is_toolkit(const char *folder);       /* its headers do not go with the kit's */

/* kernel.c: options of a bare kernel */
typedef struct kernel_options {
    const char *kernel;   /* null: the only one */
    simt_dim grid, block; /* block.x 0: not given */
    size_t shared;
    bool cooperative;
    const char *arguments[64];
    unsigned count;
} kernel_options;

int kernel_run(const char *path, const settings *s, const kernel_options *k);
/* Opens a device and loads the text; says what is wrong where it does not parse. */
simt_device *kernel_load(const char *name, const char *text, size_t bytes,
                         const simt_config *config, unsigned *module);
void kernel_list_names(simt_device *device, unsigned module);

/* seeds.c: s->seeds runs, one for each seed from s->config.seed on, or from 1; what the exit status
   is to be. The child runs and never returns; its report goes to that file. */
typedef void seeds_child(void *user, uint64_t seed, const char *report);
int seeds_run(const char *name, const settings *s, seeds_child *child, void *user);
/* One run as the options say (seed SEEDS_NONE), and then, seed after seed, as many as there is time
   for in s->seconds; the first that is not right ends it. */
#define SEEDS_NONE UINT64_MAX
int seeds_run_for(const char *name, const settings *s, seeds_child *child, void *user);

/* source.c: what a program that was made of the source ends with. run never returns. */
typedef void source_program(void *user, const char *program);
int source_run(const char *source, source_program *run, void *user);

/* values.c: what a kernel's argument says, as in:f32[1000]:iota */
typedef struct argument {
    char type[4];   /* u32 s32 f32 u64 s64 f64 */
    unsigned bytes; /* of an element */
    bool array, in, out;
    uint64_t scalar; /* bits */
    size_t count;
    const char *text; /* as given; the argument points into it */
    /* of in: random, iota, zeros or a file; of out: a file or null */
    const char *fill, *file;
    void *data; /* of an array: count elements, the caller's to free */
} argument;

bool values_parse(const char *text, uint64_t seed, argument *a, base_error *error);
/* an out array: printed, or into its file */
bool values_write(const argument *a, const char *name, base_error *error);

/* program_file.c: what is inside of a program made by simt cc */
typedef enum program_kind { PROGRAM_NONE, PROGRAM_OTHER, PROGRAM_WATCHED } program_kind;
/* ptx may be null: not wanted; all texts on end */
program_kind program_look(const char *path, char **ptx, size_t *bytes, base_error *error);
/* The next PTX module's length in text; several may follow each other. */
size_t program_next_module(const char *text);

#endif
