/* file.c: see file.h. */
#define _GNU_SOURCE
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads until the file ends or the buffer is full; the file may have grown or shrunk since
   fstat. */
static ssize_t read_fully(int fd, char *to, size_t room)
{
    size_t done = 0;
    while (done < room) {
        ssize_t got = read(fd, to + done, room - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

static bool write_fully(int fd, const char *from, size_t size)
{
    while (size > 0) {
        ssize_t put = write(fd, from, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        from += put;
        size -= (size_t)put;
    }
    return true;
}

static bool check_readable(const char *path, const struct stat *facts, size_t limit, unsigned names,
                           base_error *error)
{
    if (S_ISDIR(facts->st_mode))
        return error_set(error, "%s is a folder; name a file in it", path);
    if (!S_ISREG(facts->st_mode))
        return error_set(error, "%s is not an ordinary file", path);
    if (names && facts->st_nlink > names)
        return error_set(error, "%s has another name, too (a hard link); put a copy there", path);
    if ((uintmax_t)facts->st_size > limit)
        return error_set(error, "%s has %jd bytes; at most %zu are read", path,
                         (intmax_t)facts->st_size, limit);
    return true;
}

/* names: it has no more than so many; 0: any number. */
static bool read_file(const char *path, int flags, unsigned names, size_t limit, char **data,
                      size_t *size, base_error *error)
{
    bool ok = false;
    char *text = NULL;
    *data = NULL;
    /* non-blocking: opening a pipe must not wait for a writer */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
    if (fd < 0 && errno == ELOOP && flags)
        return error_set(error, "%s is a symbolic link; put the file itself there", path);
    if (fd < 0)
        return error_set(error, "cannot open %s: %s", path, strerror(errno));
    struct stat facts;
    if (fstat(fd, &facts) != 0) {
        error_set(error, "cannot look at %s: %s", path, strerror(errno));
        goto done;
    }
    if (!check_readable(path, &facts, limit, names, error))
        goto done;
    /* one more, to see that the file has not grown; then the NUL's place */
    size_t room = (size_t)facts.st_size + 1;
    text = malloc(room);
    if (text == NULL) {
        error_set(error, "no memory for the %zu bytes of %s", room, path);
        goto done;
    }
    ssize_t got = read_fully(fd, text, room);
    if (got < 0) {
        error_set(error, "cannot read %s: %s", path, strerror(errno));
        goto done;
    }
    if ((size_t)got == room) {
        error_set(error, "%s grew while it was being read; try again", path);
        goto done;
    }
    text[got] = '\0';
    *data = text;
    if (size != NULL)
        *size = (size_t)got;
    ok = true;
done:
    if (!ok)
        free(text);
    close(fd);
    return ok;
}

bool file_read(const char *path, size_t limit, char **data, size_t *size, base_error *error)
{
    return read_file(path, 0, 0, limit, data, size, error);
}

bool file_read_own(const char *path, size_t limit, char **data, size_t *size, base_error *error)
{
    return read_file(path, O_NOFOLLOW, 0, limit, data, size, error);
}

bool file_read_alone(const char *path, size_t limit, char **data, size_t *size, base_error *error)
{
    return read_file(path, O_NOFOLLOW, 1, limit, data, size, error);
}

bool file_read_named(const char *path, unsigned names, size_t limit, char **data, size_t *size,
                     base_error *error)
{
    return read_file(path, O_NOFOLLOW, names, limit, data, size, error);
}

/* Writes, flushes to the disk where asked, and closes fd in every case. */
static bool write_and_close(int fd, const char *path, const void *data, size_t size, bool flush,
                            base_error *error)
{
    bool ok = write_fully(fd, data, size) && (!flush || fsync(fd) == 0);
    int cause = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        cause = errno;
    }
    return ok || error_set(error, "cannot write %s: %s", path, strerror(cause));
}

static bool write_in_place(const char *path, const void *data, size_t size, base_error *error)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(error, "cannot open %s for writing: %s", path, strerror(errno));
    return write_and_close(fd, path, data, size, false, error);
}

bool file_write(const char *path, const void *data, size_t size, base_error *error)
{
    struct stat facts;
    if (stat(path, &facts) == 0) {
        if (S_ISDIR(facts.st_mode))
            return error_set(error, "cannot write %s: it is a folder; name a file in it", path);
        /* renaming over /dev/null would break more than this program */
        if (!S_ISREG(facts.st_mode))
            return write_in_place(path, data, size, error);
    }
    static atomic_uint serial; /* two threads may write the same path */
    char fresh[PATH_MAX];
    int length = snprintf(fresh, sizeof fresh, "%s.%ld.%u.tmp", path, (long)getpid(),
                          atomic_fetch_add(&serial, 1));
    if (length < 0 || (size_t)length >= sizeof fresh)
        return error_set(error, "cannot write %.200s...: the path is too long", path);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return error_set(error, "cannot write %s: %s", path, strerror(errno));
    if (!write_and_close(fd, path, data, size, true, error)) {
        unlink(fresh);
        return false;
    }
    if (rename(fresh, path) != 0) {
        error_set(error, "cannot write %s: %s", path, strerror(errno));
        unlink(fresh);
        return false;
    }
    return true;
}

bool file_copy(const char *from, const char *to, size_t limit, base_error *error)
{
    char *data;
    size_t size = 0;
    if (!file_read(from, limit, &data, &size, error))
        return false;
    bool ok = file_write(to, data, size, error);
    free(data);
    return ok;
}

/* mkdir, where somebody else may have made it a moment ago. */
static bool make_folder(const char *path, base_error *error)
{
    if (mkdir(path, 0777) == 0)
        return true;
    int cause = errno;
    if (file_is_folder(path))
        return true;
    if (cause == EEXIST || cause == ENOTDIR)
        return error_set(error, "cannot make the folder %s: a file of that name is in the way",
                         path);
    return error_set(error, "cannot make the folder %s: %s", path, strerror(cause));
}

bool file_make_folders(const char *path, base_error *error)
{
    char part[PATH_MAX];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part)
        return error_set(error, "cannot make a folder: its path %s",
                         length == 0 ? "is empty" : "is too long");
    memcpy(part, path, length + 1);
    for (size_t i = 1; i < length; i++) {
        if (part[i] != '/' || part[i - 1] == '/')
            continue;
        part[i] = '\0';
        if (!make_folder(part, error))
            return false;
        part[i] = '/';
    }
    return make_folder(path, error);
}

void file_open_standard(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

bool file_exists(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0;
}

bool file_is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool file_is_link(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode);
}
