/*
 * finding.c: prints findings on standard error where there is no observer: those of a launch, those
 * of the host's calls, and, when the program ends or resets the device, allocations that were never
 * freed. After a fault nothing can be freed, so no leaks are reported.
 */
#include <stdio.h>
#include <string.h>

#include "back_state.h"

/* The first of a group in full, the others by place and message. */
static void print_one(const simt_finding *f, const char *kernel, bool first)
{
    const char *file = f->at.file[0] ? f->at.file : "kernels.ptx";
    unsigned line = f->at.file[0] ? f->at.line : f->at.ptx_line;
    simt_words words;
    simt_finding_words(f, NULL, &words);
    if (!first) {
        fprintf(stderr, "    also %s:%u: %s\n", file, line, words.message);
        return;
    }
    fprintf(stderr, "%s:%u: %s in kernel %s, block (%u,%u,%u), thread (%u,%u,%u): %s\n    %s\n",
            file, line, simt_finding_name(f->kind), kernel, f->at.block.x, f->at.block.y,
            f->at.block.z, f->at.thread.x, f->at.thread.y, f->at.thread.z, words.message,
            words.advice);
}

/* One line for all launches: it is no fault of the program. */
static void print_library(const simt_finding *f)
{
    static bool printed;
    if (!printed)
        fprintf(stderr, "note: %s in a library's own code, kernel %s; simt run says more\n",
                simt_finding_name(f->kind), f->at.kernel);
    printed = true;
}

void cudart_print_findings(const char *kernel, const simt_report *report)
{
    /* static: too large for a caller's stack, whose size is unknown */
    static simt_finding findings[SIMT_MAX_FINDINGS];
    memcpy(findings, report->finding, report->findings * sizeof *findings);
    simt_order_findings(findings, report->findings);
    for (unsigned i = 0; i < report->findings; i++)
        if (findings[i].of_library)
            print_library(&findings[i]);
        else
            print_one(&findings[i], kernel, i == 0 || findings[i].group != findings[i - 1].group);
}

void cudart_print_host_findings(void)
{
    const simt_finding *findings;
    if (cudart_on.observer || !cudart_on.device)
        return;
    unsigned count = simt_host_findings(cudart_on.device, &findings);
    for (unsigned i = 0; i < count; i++) {
        simt_words words;
        simt_finding_words(&findings[i], NULL, &words);
        fprintf(stderr, "host: %s: %s\n    %s\n", simt_finding_name(findings[i].kind),
                words.message, words.advice);
    }
}

void cudart_print_leaks(void)
{
    if (cudart_on.observer || !cudart_on.device || cudart_has_faulted())
        return;
    simt_leaks(cudart_on.device);
    cudart_print_host_findings();
}
