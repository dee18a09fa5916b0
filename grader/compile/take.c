/*
 * take.c: a submission's file, copied into the folder of its build (build_take in build.h), and
 * what is refused before a compiler sees it (take.h).
 */
#include "take.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "encoding.h"
#include "file.h"
#include "line_directive.h"
#include "path.h"

static void refuse(build_result *result, verdict v, const char *message)
{
    result->verdict = v;
    snprintf(result->message, sizeof result->message, "%s", message);
}

static bool is_blank(const char *text) { return text[strspn(text, " \t\r\n\f\v")] == '\0'; }

/* Which entries there are to write, for a file that has none. */
static void list_entries(const lab *l, char *text, size_t room)
{
    for (unsigned p = 0; p < lab_part_count(l); p++) {
        if (l->parts[p].step || l->parts[p].trial)
            continue;
        char signature[400];
        size_t used = strlen(text);
        lab_signature(&l->parts[p], signature, sizeof signature);
        snprintf(text + used, room - used, "\n    %s", signature);
    }
}

/* Is the lab's folder, in which the file is, a link? It may lead to another's, or to the
   solutions. */
static bool is_in_linked_folder(const lab *l, const char *source)
{
    char folder[PATH_MAX];
    const char *name = path_name(source);

    snprintf(folder, sizeof folder, "%.*s", name > source ? (int)(name - source - 1) : 0, source);
    return strcmp(path_name(folder), l->id) == 0 && file_is_link(folder);
}

bool build_take(const lab *l, const char *source, bool alone, const char *folder,
                char copy[PATH_MAX], build_result *result)
{
    base_error error;
    char *text = NULL;
    size_t size;

    if (!path_join(copy, PATH_MAX, folder, l->file, &error)) {
        refuse(result, VERDICT_INFRA, error.text);
        return false;
    }
    if (!file_exists(source)) {
        const bool kits =
            strncmp(source, SCANLAB_SOURCE_DIR "/labs/", strlen(SCANLAB_SOURCE_DIR "/labs/")) == 0;
        snprintf(result->message, sizeof result->message,
                 kits ? "there is no file %s; put yours there, or get the starter back: make "
                        "reset LAB=%.*s"
                      : "there is no file %s",
                 source, lab_name_length(l), l->id);
        result->verdict = VERDICT_NOT_RUN;
        return false;
    }
    if (strcmp(source, copy) == 0)
        return true;
    if (is_in_linked_folder(l, source)) {
        snprintf(result->message, sizeof result->message,
                 "the folder of %s is a symbolic link, which is not followed: put the file itself "
                 "there",
                 source);
        result->verdict = VERDICT_NOT_RUN;
        return false;
    }
    bool taken =
        (alone ? file_read_alone : file_read_own)(source, BUILD_SOURCE_LIMIT, &text, &size, &error);
    if (taken) {
        result->was = encoding_convert(&text, &size);
        taken = file_write(copy, text, size, &error);
    }
    if (!taken)
        refuse(result, text ? VERDICT_INFRA : VERDICT_NOT_RUN, error.text);
    free(text);
    return taken;
}

bool take_check(const lab *l, const char *copy, build_result *result)
{
    base_error error;
    char *text = NULL;
    size_t size;

    if (!file_read(copy, BUILD_SOURCE_LIMIT, &text, &size, &error)) {
        refuse(result, VERDICT_INFRA, error.text);
        return false;
    }
    const bool blank = is_blank(text);
    const unsigned renamed = line_directive(text, size), nul = encoding_nul_line(text, size);
    free(text);
    if (nul) {
        snprintf(result->message, sizeof result->message,
                 "%s:%u: a NUL byte: this is not the text of a program. If it is for you, your "
                 "editor saves it in another encoding: save it as UTF-8",
                 l->file, nul);
        result->verdict = VERDICT_COMPILE_ERROR;
        return false;
    }
    if (renamed) {
        snprintf(result->message, sizeof result->message,
                 "%s:%u: a #line directive gives lines other names and numbers, which messages "
                 "would show: leave it out",
                 l->file, renamed);
        result->verdict = VERDICT_COMPILE_ERROR;
        result->line = renamed;
        return false;
    }
    if (!blank)
        return true;
    char entries[1500];
    snprintf(entries, sizeof entries, "%s is empty; it has to define", l->file);
    list_entries(l, entries, sizeof entries);
    refuse(result, VERDICT_COMPILE_ERROR, entries);
    return false;
}
