/* submission_unpack.c: see submission_unpack.h. */
#define _GNU_SOURCE
#include "submission_unpack.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "file.h"
#include "path.h"
#include "process.h"
#include "unpacked.h"

enum { CPU_SECONDS = 20, SAID = 4096, DATA_MIB = 384, RECORDS_MIB = UNPACKED_KEPT_MIB + 32 };

static const double wall_seconds = 120; /* on a machine that has other work, too */

void submission_add_name(char *list, size_t room, const char *name)
{
    const size_t used = strlen(list);

    if (used + strlen(name) + 3 < room)
        snprintf(list + used, room - used, "%s%s", used ? ", " : "", name);
}

/* ---- the process ----------------------------------------------------------------------------- */

static unpack_end failed(base_error *error, const char *what)
{
    error_set(error, "it could not be unpacked: %s: %s", what, strerror(errno));
    return UNPACK_FAILED;
}

/* A file in memory that holds the archive, at its begin; -1: none. */
static int archive_file(const char *archive, size_t size)
{
    const int fd = memfd_create("scanlab archive", MFD_CLOEXEC);

    if (fd >= 0 && write(fd, archive, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static unpack_end ending_of(const process_run_result *run, base_error *error)
{
    char said[300];

    if (run->ending == PROCESS_EXITED && run->exit_status == 0)
        return UNPACK_DONE;
    if (run->ending == PROCESS_TOO_LONG || run->ending == PROCESS_TOO_LATE) {
        error_set(error, "unpacking it takes more than %d s", CPU_SECONDS);
        return UNPACK_REFUSED;
    }
    if (run->ending == PROCESS_EXITED && run->exit_status >= 126) {
        error_set(error, "it could not be unpacked: %.200s", run->output);
        return UNPACK_FAILED;
    }
    snprintf(said, sizeof said, "%.*s", (int)strcspn(run->output, "\n"), run->output);
    if (run->ending == PROCESS_EXITED && run->exit_status == 2 && said[0])
        error_set(error, "%s", said);
    else
        error_set(error, "unpacking it takes more than %d MiB of memory, or fails", DATA_MIB);
    return UNPACK_REFUSED;
}

static unpack_end run_unpack(int archive, int records, base_error *error)
{
    static const char *const arguments[] = { SCANLAB_UNPACK, NULL };
    const confine_rules confine = { .kind = CONFINE_PROGRAM, .read = arguments };
    const process_spec spec = { .arguments = arguments,
                                .folder = "/",
                                .given = { archive, records },
                                .limits = { .data_bytes =
                                                SCANLAB_SANITIZED ? 0 : (size_t)DATA_MIB << 20,
                                            .file_bytes = (size_t)RECORDS_MIB << 20,
                                            .cpu_seconds = CPU_SECONDS,
                                            .descriptors = 64 },
                                .confine = &confine };
    process_run_result run = { .output = NULL };

    /* the class's own programs may be for a GPU, and a merge looks for no sandbox */
    if (confine_find(false) == CONFINE_NONE) {
        error_set(error, "this machine has no safe sandbox (docs/security.md)");
        return UNPACK_FAILED;
    }
    if (!process_run(&spec, wall_seconds, SAID, &run, error))
        return UNPACK_FAILED;
    const unpack_end end = ending_of(&run, error);
    free(run.output);
    return end;
}

/* ---- what it gave ---------------------------------------------------------------------------- */

/* One file below folder. The name comes from the archive. */
static unpack_end make_file(const char *folder, const char *name, const char *content, size_t size,
                            base_error *error)
{
    char path[PATH_MAX], parent[PATH_MAX];
    struct stat facts;

    if (!path_join(path, sizeof path, folder, name, error) ||
        !path_parent(parent, sizeof parent, path, error))
        return UNPACK_FAILED;
    if (stat(path, &facts) == 0 ? S_ISDIR(facts.st_mode) : errno == ENOTDIR) {
        error_set(error, "it has a file and a folder of one name: %.200s", name);
        return UNPACK_REFUSED;
    }
    return file_make_folders(parent, error) && file_write(path, content, size, error)
               ? UNPACK_DONE
               : UNPACK_FAILED;
}

static bool is_name(const char *name, size_t length)
{
    return length > 0 && length < UNPACKED_NAME && strlen(name) == length &&
           unpacked_stays_inside(name) && name[length - 1] != '/';
}

/* The next record; false at the end of what is whole. */
static bool next_record(const char *records, size_t size, size_t *at, unpacked_record *head,
                        char name[UNPACKED_NAME], const char **content)
{
    if (size - *at < sizeof *head)
        return false;
    memcpy(head, records + *at, sizeof *head);
    *at += sizeof *head;
    if (head->name >= UNPACKED_NAME || head->name > size - *at ||
        head->size > size - *at - head->name)
        return false;
    memcpy(name, records + *at, head->name);
    name[head->name] = '\0';
    *content = records + *at + head->name;
    *at += head->name + head->size;
    return true;
}

static void tell_others(const unpacked_record *end, const char *content, char *others, size_t room)
{
    unsigned count = 0;
    const size_t used = strlen(others);

    if (end->size == sizeof count)
        memcpy(&count, content, sizeof count);
    if (count > UNPACKED_OTHERS)
        snprintf(others + used, room - used, " and %u more", count - UNPACKED_OTHERS);
}

static unpack_end take_records(const char *records, size_t size, const char *folder, char *others,
                               size_t room, base_error *error)
{
    char name[UNPACKED_NAME];
    const char *content;
    unpacked_record head;
    unsigned sources = 0;
    unpack_end end;

    for (size_t at = 0; next_record(records, size, &at, &head, name, &content);) {
        if (head.kind == 'e') {
            tell_others(&head, content, others, room);
            return UNPACK_DONE;
        }
        if (!is_name(name, head.name))
            break;
        if (head.kind == 'n')
            submission_add_name(others, room, name);
        else if (head.kind != 'f' || head.size > UNPACKED_FILE || !unpacked_is_source(name) ||
                 ++sources > UNPACKED_SOURCES)
            break;
        else if ((end = make_file(folder, name, content, head.size, error)) != UNPACK_DONE)
            return end;
    }
    error_set(error, "its files have names or sizes that are not taken");
    return UNPACK_REFUSED;
}

unpack_end submission_unpack(const char *archive, size_t size, const char *folder, char *others,
                             size_t room, base_error *error)
{
    const int from = archive_file(archive, size), to = memfd_create("scanlab files", MFD_CLOEXEC);
    unpack_end end = UNPACK_FAILED;
    struct stat facts;
    void *records = MAP_FAILED;

    if (from < 0 || to < 0)
        failed(error, "no memory for it");
    else if (!file_make_folders(folder, error))
        end = UNPACK_FAILED;
    else
        end = run_unpack(from, to, error);
    if (end == UNPACK_DONE && (fstat(to, &facts) != 0 || facts.st_size <= 0 ||
                               (records = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE,
                                               to, 0)) == MAP_FAILED))
        end = failed(error, "no memory for its files");
    if (end == UNPACK_DONE)
        end = take_records(records, (size_t)facts.st_size, folder, others, room, error);
    if (records != MAP_FAILED)
        munmap(records, (size_t)facts.st_size);
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    return end;
}
