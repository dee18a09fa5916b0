/*
 * sarif.c: the findings as SARIF 2.1.0 (Static Analysis Results Interchange Format, OASIS), which
 * code hosts and editors show beside the source. Interface: watch_parts.h.
 *
 * A result for each group of findings that have one cause: the first one in its own words, the
 * other thread and the rest of the group as related locations. Paths are relative to the root of
 * the source, the nearest folder above the current one that holds .git, or else that itself. This
 * is linked into users' programs, so it writes its few kinds of JSON itself and brings no library
 * with it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clean.h"
#include "file.h"
#include "locate.h"
#include "path.h"
#include "tell.h"
#include "watch_parts.h"

static FILE *to;
static char root[PATH_MAX]; /* without a slash at its end */

bool sarif_begin(const char *path, base_error *error)
{
    to = stderr;
    if (*path && !(to = fopen(path, "we")))
        return error_set(error, "cannot write %s: %s", path, strerror(errno));
    return true;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_byte(unsigned char c)
{
    if (c == '"' || c == '\\')
        fprintf(to, "\\%c", c);
    else if (c == '\n')
        fputs("\\n", to);
    else if (c < ' ')
        fprintf(to, "\\u%04x", c);
    else
        fputc(c, to);
}

/* What is no UTF-8, or cannot be seen, becomes a '?'. braces: they are written twice, as messages
   have them, where {0} stands for a place that is filled in. */
static void put(const char *text, bool braces)
{
    fputc('"', to);
    while (*text) {
        bool harmless;
        size_t size = clean_character(text, &harmless);
        for (size_t k = 0; k < size; k++) {
            if (harmless || size == 1)
                put_byte(harmless ? (unsigned char)text[k] : '?');
            if (braces && (text[k] == '{' || text[k] == '}'))
                fputc(text[k], to);
        }
        text += size;
    }
    fputc('"', to);
}

static void put_message(const char *name, const char *text)
{
    fprintf(to, "\"%s\": { \"text\": ", name);
    put(text, true);
    fputs(" }", to);
}

/* A path as the path of a URI. */
static void put_uri_path(const char *path)
{
    for (; *path; path++)
        if ((*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
            (*path >= '0' && *path <= '9') || strchr("-._~/", *path))
            fputc(*path, to);
        else
            fprintf(to, "%%%02X", (unsigned char)*path);
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* What a kind of finding is; after the last kind, what is found about the program as a whole. */
static const char *const about[SIMT_FINDING_KINDS + 1] = {
    [SIMT_OUT_OF_BOUNDS] = "A kernel or a copy uses memory outside of its array or allocation.",
    [SIMT_USE_AFTER_FREE] = "A kernel or a copy uses memory that has been freed.",
    [SIMT_MISALIGNED] = "A kernel uses an address that is not a multiple of the access's size.",
    [SIMT_RACE] =
        "Two threads use the same memory, at least one of them writes, and nothing orders "
        "the two: what is read depends on which of them comes first.",
    [SIMT_BARRIER_DIVERGENCE] =
        "Some threads come to a barrier, and others of their block never do, or to another one.",
    [SIMT_BAD_SYNC] = "A synchronising instruction whose mask or count of threads is wrong.",
    [SIMT_DEADLOCK] = "Nothing can go on: all that still run wait for each other.",
    [SIMT_BUDGET] = "A kernel has executed as many instructions as it may: it seems to hang.",
    [SIMT_UNSUPPORTED] = "A kernel has come to an instruction that the engine does not have.",
    [SIMT_TRAP] = "A kernel has executed a trap.",
    [SIMT_ASSERT] = "An assert in a kernel has failed.",
    [SIMT_STACK_OVERFLOW] = "Calls in a kernel are too deep for a thread's stack.",
    [SIMT_NEEDS_SM70] = "A kernel relies on threads of a warp that go on independently.",
    [SIMT_DIVISION_BY_ZERO] = "A kernel divides an integer by zero, which has no certain result.",
    [SIMT_NEEDS_SM90] = "A kernel uses instructions that need a newer GPU.",
    [SIMT_UNINITIALIZED] = "A value from memory that was never written decides something.",
    [SIMT_INACTIVE_LANE] = "A value shuffled from a lane that takes no part decides something.",
    [SIMT_WIDE_SHIFT] = "A value shifted by as many bits as it has, or more, decides something.",
    [SIMT_BAD_FREE] = "What is freed is not an allocation, or has been freed before.",
    [SIMT_LEAK] = "Memory was allocated and never freed.",
    [SIMT_OLD_VALUE] = "A thread has read a value from before a store, for want of a fence.",
    [SIMT_LANES_LEFT] = "Part of a warp is at a barrier, and the rest has left the kernel.",
    [SIMT_INPUT_WRITTEN] = "Memory is written that is only to be read.",
    [SIMT_FINDING_KINDS] =
        "A launch was refused, a CUDA call failed, or a signal ended the program.",
};

/* As rules of --suppress name it: out-of-bounds. */
static void put_id(unsigned kind)
{
    const char *name =
        kind == SIMT_FINDING_KINDS ? "program" : simt_finding_name((simt_finding_kind)kind);
    fputc('"', to);
    for (; *name; name++)
        fputc(*name == ' ' ? '-' : *name, to);
    fputc('"', to);
}

static void put_rules(void)
{
    fputs("\"rules\": [", to);
    for (unsigned k = 1; k <= SIMT_FINDING_KINDS; k++) {
        bool whole = k == SIMT_FINDING_KINDS,
             note = !whole && simt_finding_is_note((simt_finding_kind)k);
        const char *name =
            whole ? "the program as a whole" : simt_finding_name((simt_finding_kind)k);
        fprintf(to, "%s\n        { \"id\": ", k == 1 ? "" : ",");
        put_id(k);
        fputs(", ", to);
        put_message("shortDescription", name);
        fputs(",\n          ", to);
        put_message("fullDescription", about[k] ? about[k] : name);
        fputs(",\n          ", to);
        put_message("help", about[k] ? about[k] : name);
        fprintf(to, ",\n          \"defaultConfiguration\": { \"level\": \"%s\" } }",
                note ? "note" : "error");
    }
    fputs("\n      ]", to);
}

/* ---- places ---------------------------------------------------------------------------------- */

static void find_root(void)
{
    char folder[PATH_MAX], mark[PATH_MAX + 8];
    if (!getcwd(root, sizeof root))
        root[0] = '\0';
    for (strcpy(folder, root); *folder; *strrchr(folder, '/') = '\0') {
        snprintf(mark, sizeof mark, "%s/.git", folder);
        if (file_exists(mark)) {
            strcpy(root, folder);
            return;
        }
    }
}

/* "artifactLocation": ... of a file */
static void put_artifact(const char *path)
{
    char whole[PATH_MAX];
    const size_t length = strlen(root);
    if (!realpath(path, whole))
        snprintf(whole, sizeof whole, "%s", path);
    bool below = strncmp(whole, root, length) == 0 && whole[length] == '/',
         absolute = *whole == '/' && !below;
    fprintf(to, "\"artifactLocation\": { \"uri\": \"%s", absolute ? "file://" : "");
    put_uri_path(below ? whole + length + 1 : whole);
    fputs(absolute ? "\" }" : "\", \"uriBaseId\": \"%SRCROOT%\" }", to);
}

/* file: as source_line has it */
static void put_place(const char *path, const char *file, unsigned line)
{
    char text[400];
    fputs("\"physicalLocation\": { ", to);
    put_artifact(path);
    fprintf(to, ", \"region\": { \"startLine\": %u", line);
    if (source_line(file, line, text, sizeof text)) {
        fputs(", \"snippet\": { \"text\": ", to);
        put(text + strspn(text, " "), false);
        fputs(" }", to);
    }
    fputs(" } }", to);
}

static bool has_place(const simt_site *s) { return s->line || (s->ptx_line && *source_path("")); }

static void put_site(const simt_site *s)
{
    const char *file = s->line ? s->file : "", *path = source_path(file);
    put_place(*path ? path : file, file, s->line ? s->line : s->ptx_line);
}

/* "block 0,1, thread 5 (warp 0, lane 5)" */
static void who(const simt_site *s, const char *before, char *text, size_t room)
{
    if (s->kernel[0])
        snprintf(text, room, "%sblock (%u, %u, %u), thread (%u, %u, %u): warp %u, lane %u", before,
                 s->block.x, s->block.y, s->block.z, s->thread.x, s->thread.y, s->thread.z, s->warp,
                 s->lane);
    else
        snprintf(text, room, "%sthe host", before);
}

/* A place in the host's code; where that is not known, the program. */
static void put_host(uint64_t from)
{
    char path[PATH_MAX];
    unsigned line;
    if (locate_path_in_program(from, path, sizeof path, &line)) {
        put_place(path, path_name(path), line);
        return;
    }
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    fputs("\"physicalLocation\": { ", to);
    put_artifact(path);
    fputs(" }", to);
}

/* ---- results --------------------------------------------------------------------------------- */

/* FNV-1a, over texts that stay the same where lines above are added. */
static uint64_t mix(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;
}

static uint64_t fingerprint(const simt_finding *f)
{
    char text[400];
    uint64_t hash = mix(0xcbf29ce484222325u, simt_finding_name(f->kind));
    hash = mix(mix(mix(hash, f->at.file), f->at.kernel), f->variable);
    if (source_line(f->at.file, f->at.line, text, sizeof text))
        hash = mix(hash, text + strspn(text, " "));
    if (f->has_other && source_line(f->other.file, f->other.line, text, sizeof text))
        hash = mix(hash, text + strspn(text, " "));
    return hash;
}

/* Begins a related location, and ends it with what it is. */
static void begin_related(unsigned *id)
{
    fprintf(to, "%s\n            { \"id\": %u, ",
            *id ? "," : ",\n          \"relatedLocations\": [", *id + 1);
    ++*id;
}

static void end_related(const char *message)
{
    fputs(",\n              ", to);
    put_message("message", message);
    fputs(" }", to);
}

static void put_related(const simt_site *s, const char *message, unsigned *id)
{
    begin_related(id);
    put_site(s);
    end_related(message);
}

static void put_launch(const simt_finding *f, unsigned *id)
{
    char path[PATH_MAX];
    unsigned line;
    if (!f->at.kernel[0] && f->cause != SIMT_CAUSE_SOURCE_CHANGED)
        return; /* a call of the host's, which is the place itself */
    if (!locate_path_in_program(f->launched_from, path, sizeof path, &line))
        return;
    begin_related(id);
    put_place(path, path_name(path), line);
    end_related(f->cause == SIMT_CAUSE_SOURCE_CHANGED ? "the copy"
                : f->at.kernel[0]                     ? "the kernel is launched here"
                                                      : "the call of the host");
}

/* The place of others of the group, and what is seen there; returns how many they are. */
static unsigned put_rest(unsigned first, unsigned *id)
{
    const simt_finding *f;
    unsigned rest = 0;
    for (; (f = findings_at(first + rest + 1)) && f->group == findings_at(first)->group; rest++) {
        char text[400];
        simt_words words;
        simt_finding_words(f, NULL, &words);
        snprintf(text, sizeof text, "also: %s", words.message);
        if (has_place(&f->at))
            put_related(&f->at, text, id);
    }
    return rest;
}

static void put_finding_message(const simt_finding *f)
{
    char text[1024];
    simt_words words;
    simt_finding_words(f, NULL, &words);
    snprintf(text, sizeof text, "%s%s%s: %s%s%s%s", simt_finding_name(f->kind),
             f->at.kernel[0] ? " in kernel " : "", f->at.kernel, words.message,
             words.advice[0] ? ". To do: " : "", words.advice,
             f->fatal ? ". The kernel was stopped here" : "");
    put_message("message", text);
}

/* The finding of that number and those of its group; returns how many they are. */
static unsigned put_result(unsigned k)
{
    const simt_finding *f = findings_at(k);
    const bool other = f->has_other && has_place(&f->other), at = has_place(&f->at);
    unsigned id = 0;
    char text[300];

    fputs("        { \"ruleId\": ", to);
    put_id(f->kind);
    fprintf(to, ", \"ruleIndex\": %u, \"level\": \"%s\", \"occurrenceCount\": %llu,\n          ",
            (unsigned)f->kind - 1,
            f->of_library || simt_finding_is_note(f->kind) ? "note" : "error",
            (unsigned long long)(f->count ? f->count : 1));
    put_finding_message(f);
    fputs(",\n          \"locations\": [ { ", to);
    if (at || other)
        put_site(at ? &f->at : &f->other);
    else
        put_host(f->launched_from);
    if (f->at.kernel[0]) {
        fputs(",\n              \"logicalLocations\": [ { \"name\": ", to);
        put(f->at.kernel, false);
        fputs(", \"kind\": \"function\" } ]", to);
    }
    who(&f->at, "", text, sizeof text);
    fputs(",\n              ", to);
    put_message("message", text);
    fputs(" } ]", to);
    if (at && other) {
        who(&f->other, f->kind == SIMT_RACE ? "the other access: " : "and here: ", text,
            sizeof text);
        put_related(&f->other, text, &id);
    }
    put_launch(f, &id);
    unsigned rest = put_rest(k, &id);
    fprintf(to, "%s,\n          \"partialFingerprints\": { \"simt/v1\": \"%016llx\" } }",
            id ? "\n          ]" : "", (unsigned long long)fingerprint(f));
    return rest + 1;
}

static void put_problem(const char *text, uint64_t from, bool note)
{
    fputs("        { \"ruleId\": ", to);
    put_id(SIMT_FINDING_KINDS);
    fprintf(to, ", \"ruleIndex\": %u, \"level\": \"%s\",\n          ",
            (unsigned)SIMT_FINDING_KINDS - 1, note ? "note" : "error");
    put_message("message", text);
    fputs(",\n          \"locations\": [ { ", to);
    put_host(from);
    fputs(" } ] }", to);
}

static void put_results(void)
{
    const char *problem, *before = "\n";
    uint64_t from;
    bool note;
    fputs("      \"results\": [", to);
    for (unsigned k = 0; findings_at(k); before = ",\n") {
        fputs(before, to);
        k += put_result(k);
    }
    for (unsigned k = 0; (problem = findings_problem_at(k, &from, &note)); k++, before = ",\n") {
        fputs(before, to);
        put_problem(problem, from, note);
    }
    fputs(*before == ',' ? "\n      ]" : "]", to);
}

static void put_words(const char *name, const char *text)
{
    fprintf(to, ",\n        \"%s\": ", name);
    put(text, false);
}

void sarif_tell(const sarif_run *run)
{
    find_root();
    fputs("{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
          "  \"version\": \"2.1.0\",\n  \"runs\": [\n    {\n"
          "      \"tool\": { \"driver\": { \"name\": \"simt\", \"version\": \"" SIMT_VERSION "\",\n"
          "      ",
          to);
    put_rules();
    /* what tells the runs of several programs in one upload apart */
    fputs(" } },\n      \"automationDetails\": { \"id\": \"simt/", to);
    put_uri_path(run->program);
    fputs("/\" },\n      \"originalUriBaseIds\": { \"%SRCROOT%\": { \"uri\": \"file://", to);
    put_uri_path(root);
    fputs("/\" } },\n      \"columnKind\": \"unicodeCodePoints\",\n      \"properties\": { ", to);
    fprintf(to, "\"findings\": %u, \"launches\": %llu", findings_count(),
            (unsigned long long)run->launches);
    put_words("program", run->program);
    put_words("checks", run->checks);
    put_words("schedule", run->schedule);
    fputs(" },\n", to);
    put_results();
    fputs("\n    }\n  ]\n}\n", to);
    fflush(to);
}
