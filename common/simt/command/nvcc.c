/*
 * nvcc.c: the options of nvcc that makefiles and README files give, and what they mean to `simt
 * cc`.
 *
 * An option that changes no result is accepted silently; one that changes results on a GPU, but not
 * here, is accepted with a note; one that asks for what the kit does not have is refused, with what
 * to do instead. Names: nvcc's manual, chapter "NVCC Command Options".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "file.h"
#include "path.h"

/* One row for each spelling. value: the option has one, after `=` or as the next word. */
static const struct {
    const char *name;
    bool value;
    nvcc_sense sense;
    const char *text;
} options[] = {
    { "-arch", true, NVCC_ARCH, NULL },
    { "--gpu-architecture", true, NVCC_ARCH, NULL },
    { "-gencode", true, NVCC_ARCH, NULL },
    { "--generate-code", true, NVCC_ARCH, NULL },
    { "-code", true, NVCC_NOTHING, NULL },
    { "--gpu-code", true, NVCC_NOTHING, NULL },
    { "-Xcompiler", true, NVCC_HOST, NULL },
    { "--compiler-options", true, NVCC_HOST, NULL },
    { "-Xlinker", true, NVCC_LINKER, NULL },
    { "--linker-options", true, NVCC_LINKER, NULL },
    { "-dc", false, NVCC_OBJECTS, NULL },
    { "--device-c", false, NVCC_OBJECTS, NULL },
    { "-rdc", true, NVCC_NOTHING, NULL },
    { "--relocatable-device-code", true, NVCC_NOTHING, NULL },
    { "-lineinfo", false, NVCC_NOTHING, NULL },
    { "--generate-line-info", false, NVCC_NOTHING, NULL },
    { "-G", false, NVCC_NOTHING, NULL },
    { "--device-debug", false, NVCC_NOTHING, NULL },
    { "--debug", false, NVCC_BOTH, "-g" },
    { "-Xptxas", true, NVCC_NOTHING, NULL },
    { "--ptxas-options", true, NVCC_NOTHING, NULL },
    { "-Xfatbin", true, NVCC_NOTHING, NULL },
    { "-Xcudafe", true, NVCC_NOTHING, NULL },
    { "-maxrregcount", true, NVCC_NOTHING, NULL },
    { "--maxrregcount", true, NVCC_NOTHING, NULL },
    { "-res-usage", false, NVCC_NOTHING, NULL },
    { "--resource-usage", false, NVCC_NOTHING, NULL },
    /* clang takes them without being asked */
    { "-extended-lambda", false, NVCC_NOTHING, NULL },
    { "--extended-lambda", false, NVCC_NOTHING, NULL },
    { "-expt-extended-lambda", false, NVCC_NOTHING, NULL },
    { "--expt-extended-lambda", false, NVCC_NOTHING, NULL },
    { "-expt-relaxed-constexpr", false, NVCC_NOTHING, NULL },
    { "--expt-relaxed-constexpr", false, NVCC_NOTHING, NULL },
    { "-restrict", false, NVCC_NOTHING, NULL },
    { "--restrict", false, NVCC_NOTHING, NULL },
    { "-m64", false, NVCC_NOTHING, NULL },
    { "--machine", true, NVCC_NOTHING, NULL },
    { "-ccbin", true, NVCC_NOTHING, NULL },
    { "--compiler-bindir", true, NVCC_NOTHING, NULL },
    { "-cudart", true, NVCC_NOTHING, NULL },
    { "--cudart", true, NVCC_NOTHING, NULL },
    { "-lcudart", false, NVCC_NOTHING, NULL },
    { "-lcudart_static", false, NVCC_NOTHING, NULL },
    { "-lcudadevrt", false, NVCC_NOTHING, NULL },
    { "-lcuda", false, NVCC_NOTHING, NULL },
    { "-diag-suppress", true, NVCC_NOTHING, NULL },
    { "--diag-suppress", true, NVCC_NOTHING, NULL },
    { "-Wno-deprecated-gpu-targets", false, NVCC_NOTHING, NULL },
    { "-allow-unsupported-compiler", false, NVCC_NOTHING, NULL },
    { "--allow-unsupported-compiler", false, NVCC_NOTHING, NULL },
    { "-t", true, NVCC_NOTHING, NULL },
    { "--threads", true, NVCC_NOTHING, NULL },
    { "-x", true, NVCC_LANGUAGE, NULL },
    { "--x", true, NVCC_LANGUAGE, NULL },
    { "--std", true, NVCC_PREFIX, "-std=" },
    { "--optimize", true, NVCC_PREFIX, "-O" },
    { "--define-macro", true, NVCC_PREFIX, "-D" },
    { "--include-path", true, NVCC_PREFIX, "-I" },
    { "--disable-warnings", false, NVCC_BOTH, "-w" },
    { "-fmad", true, NVCC_FMAD, NULL },
    { "--fmad", true, NVCC_FMAD, NULL },
    { "-use_fast_math", false, NVCC_NOTE,
      "sinf, expf, divisions and roots stay as exact as without it, and small numbers are kept" },
    { "--use_fast_math", false, NVCC_NOTE,
      "sinf, expf, divisions and roots stay as exact as without it, and small numbers are kept" },
    { "-ftz", true, NVCC_NOTE, "numbers below 2^-126 are kept" },
    { "--ftz", true, NVCC_NOTE, "numbers below 2^-126 are kept" },
    { "-prec-div", true, NVCC_NOTE, "divisions are exact" },
    { "--prec-div", true, NVCC_NOTE, "divisions are exact" },
    { "-prec-sqrt", true, NVCC_NOTE, "roots are exact" },
    { "--prec-sqrt", true, NVCC_NOTE, "roots are exact" },
    { "-default-stream", true, NVCC_NOTE,
      "there is one default stream for all host threads: what they do in it counts as ordered" },
    { "--default-stream", true, NVCC_NOTE,
      "there is one default stream for all host threads: what they do in it counts as ordered" },
    { "-ptx", false, NVCC_REFUSED, "for the decoded code there is simt disasm" },
    { "--ptx", false, NVCC_REFUSED, "for the decoded code there is simt disasm" },
    { "-cubin", false, NVCC_REFUSED,
      "there is no machine code here; for the decoded code there is simt disasm" },
    { "--cubin", false, NVCC_REFUSED,
      "there is no machine code here; for the decoded code there is simt disasm" },
    { "-dlink", false, NVCC_REFUSED,
      "there is no device linker: leave the step out, and link the objects" },
    { "--device-link", false, NVCC_REFUSED,
      "there is no device linker: leave the step out, and link the objects" },
    { "-lib", false, NVCC_REFUSED, "make an archive of the objects with ar" },
    { "--lib", false, NVCC_REFUSED, "make an archive of the objects with ar" },
};

/* Libraries on top of the runtime. */
static const char *const libraries[] = { "cublas",   "curand", "cufft",      "cusparse",
                                         "cusolver", "cudnn",  "npp",        "nvrtc",
                                         "nccl",     "nvjpeg", "nvToolsExt", NULL };

static bool is_library(const char *word)
{
    for (const char *const *name = libraries; *name; name++)
        if (strncmp(word, "-l", 2) == 0 && strncmp(word + 2, *name, strlen(*name)) == 0)
            return true;
    return false;
}

/* The number in sm_80, compute_75, arch=compute_90,code=sm_90a; 0 where there is none (native,
   all). */
static unsigned architecture(const char *text)
{
    unsigned most = 0;
    for (const char *at = text; (at = strchr(at, '_')); at++) {
        unsigned number = (unsigned)strtoul(at + 1, NULL, 10);
        if (number > most)
            most = number;
    }
    return most;
}

nvcc_sense nvcc_read(int count, char **words, int *at, const char **value)
{
    const char *word = words[*at];
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        size_t length = strlen(options[k].name);
        if (strncmp(word, options[k].name, length) != 0 ||
            (word[length] && !(options[k].value && word[length] == '=')))
            continue;
        *value = options[k].text;
        if (options[k].sense == NVCC_REFUSED)
            die(STATUS_USAGE, "%s is an option of nvcc: %s", word, options[k].text);
        if (options[k].sense == NVCC_NOTE)
            fprintf(stderr, "simt: %s changes nothing here: %s\n", word, options[k].text);
        if (!options[k].value)
            return options[k].sense;
        if (!word[length] && *at + 1 == count)
            die(STATUS_USAGE, "%s needs a value", word);
        const char *given = word[length] ? word + length + 1 : words[++*at];
        if (options[k].sense != NVCC_PREFIX) {
            *value = given;
            return options[k].sense;
        }
        size_t room = strlen(options[k].text) + strlen(given) + 1;
        char *joined = malloc(room); /* lives as long as the command */
        if (!joined)
            die(STATUS_MISSING, "no memory left");
        snprintf(joined, room, "%s%s", options[k].text, given);
        *value = joined;
        return NVCC_BOTH;
    }
    if (is_library(word))
        die(STATUS_USAGE,
            "%s: the kit has the CUDA runtime alone, no libraries on top of it; write the kernel, "
            "or run it on a GPU",
            word);
    return NVCC_NONE;
}

unsigned nvcc_target(const char *given) { return architecture(given) >= 80 ? 80 : 75; }

bool nvcc_is_toolkit(const char *folder)
{
    char header[PATH_MAX];
    base_error error;
    return path_join(header, sizeof header, folder, "crt/host_defines.h", &error) &&
           file_exists(header);
}
