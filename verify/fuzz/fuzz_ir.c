/*
 * fuzz_ir.c: libFuzzer target: any bytes as LLVM's text of device code, for what grader/read_ir.c
 * does with it.
 *
 * Besides crashes, leaks and hangs it refuses names that the engine does not take in front of a
 * module, or too many of them; a text that has another length than before; a rewritten text that
 * grows without measure; and a refusal that is not in clang's form.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm_text.h"
#include "members.h"
#include "simt.h"
#include "unset_variables.h"
#include "whole.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void wrong(const char *what, const char *text)
{
    fprintf(stderr, "fuzz_ir: %s:\n%s\n", what, text);
    abort();
}

static void check_names(const char *names)
{
    static const char module[] = ".version 7.5\n.target sm_75\n.address_size 64\n";
    static char text[MEMBERS_TEXT + sizeof module];
    simt_config config = simt_default_config();
    simt_device *device;
    unsigned number;

    if (strlen(names) >= MEMBERS_TEXT)
        wrong("names without end", "");
    if (!*names)
        return;
    config.memory = 1 << 20;
    config.host_threads = 1;
    if (simt_open(&config, &device) != SIMT_OK)
        abort();
    snprintf(text, sizeof text, "%s%s", names, module);
    if (simt_module_load(device, text, strlen(text), "names.ptx", &number) != SIMT_OK)
        wrong("names that the engine does not take", simt_error(device));
    simt_close(device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char source[] = "float sum, count;\n    int found = 0; pair p;\n\n",
                      file[] = "a.cu";
    char message[200] = "", *const ir = malloc(size + 1);

    if (!ir)
        return 0;
    memcpy(ir, data, size);
    ir[size] = '\0';
    const size_t length = strlen(ir);
    if (!asm_text_stays(ir, file, message, sizeof message) &&
        (strncmp(message, "a.cu:", 5) != 0 || !strstr(message, ": error: this asm statement")))
        wrong("a refusal that is not in form", message);
    char *const names = members_take(ir);
    if (!names || strlen(ir) != length)
        wrong("a text of another length", ir);
    check_names(names);
    char *const kept = unset_variables_keep(ir, source, file);
    if (!kept || strlen(kept) > 20 * length + 100)
        wrong("a text that grows", kept ? kept : "null");
    char *const whole = whole_copies(kept);
    if (!whole)
        wrong("no copies", kept);
    free(whole);
    free(kept);
    free(names);
    free(ir);
    return 0;
}
