/* file_test.c: files are whole or untouched, and messages say what was wrong. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "file.h"
#include "path.h"

static char place[PATH_MAX];

static const char *in_folder(const char *name)
{
    base_error error = { "" };
    static char folder[PATH_MAX];
    if (folder[0] == '\0' || !file_is_folder(folder))
        snprintf(folder, sizeof folder, "%s", check_folder());
    CHECK(path_join(place, sizeof place, folder, name, &error), "%s", error.text);
    return place;
}

static unsigned entries_beside(const char *path)
{
    char parent[PATH_MAX];
    unsigned count = 0;
    path_parent(parent, sizeof parent, path, NULL);
    DIR *folder = opendir(parent);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    if (folder != NULL)
        closedir(folder);
    return count;
}

TEST(file_comes_back_as_written)
{
    static const char bytes[] = "a\0b\nc";
    base_error error = { "" };
    char *data = NULL;
    size_t size = 0;
    const char *path = in_folder("data");
    CHECK(file_write(path, "older and longer text", 21, &error), "%s", error.text);
    CHECK(file_write(path, bytes, sizeof bytes, &error), "%s", error.text);
    CHECK(file_read(path, 100, &data, &size, &error), "%s", error.text);
    CHECK(size == sizeof bytes && data != NULL && memcmp(data, bytes, size) == 0, "got %zu bytes",
          size);
    CHECK(data != NULL && data[size] == '\0', "the NUL at the end is missing");
    CHECK(entries_beside(path) == 1, "%u files are left beside it", entries_beside(path) - 1);
    free(data);
}

TEST(empty_file_can_be_written_and_read)
{
    base_error error = { "" };
    char *data = NULL;
    size_t size = 9;
    CHECK(file_write(in_folder("none"), NULL, 0, &error), "%s", error.text);
    CHECK(file_read(place, 0, &data, &size, &error), "%s", error.text);
    CHECK(size == 0 && data != NULL && data[0] == '\0', "got %zu bytes", size);
    free(data);
}

TEST(file_write_obeys_the_umask)
{
    base_error error = { "" };
    struct stat facts = { 0 };
    mode_t old = umask(027);
    CHECK(file_write(in_folder("mode"), "x", 1, &error), "%s", error.text);
    umask(old);
    CHECK(stat(place, &facts) == 0 && (facts.st_mode & 0777) == 0640, "got mode %o",
          facts.st_mode & 0777);
}

static void expect_read_error(const char *path, size_t limit, const char *words)
{
    base_error error = { "" };
    char *data = (char *)path;
    CHECK(!file_read(path, limit, &data, NULL, &error), "%s was read", path);
    CHECK(data == NULL, "data is not null after a failure");
    CHECK(strstr(error.text, path) != NULL && strstr(error.text, words) != NULL,
          "the message is \"%s\"", error.text);
}

TEST(file_read_says_what_is_wrong)
{
    base_error error = { "" };
    expect_read_error(in_folder("missing"), 10, "No such file");
    expect_read_error("/", 10, "is a folder");
    CHECK(mkfifo(in_folder("pipe"), 0600) == 0, "no pipe");
    expect_read_error(place, 10, "not an ordinary file");
    expect_read_error("/dev/zero", 10, "not an ordinary file");
    CHECK(file_write(in_folder("big"), "12345678901", 11, &error), "%s", error.text);
    expect_read_error(place, 10, "has 11 bytes; at most 10 are read");
}

TEST(failed_write_keeps_the_old_file)
{
    base_error error = { "" };
    CHECK(!file_write(in_folder("no/such/folder"), "x", 1, &error),
          "written into a folder that is not there");
    CHECK(strstr(error.text, place) != NULL && strstr(error.text, "No such file") != NULL,
          "got \"%s\"", error.text);
    CHECK(mkdir(in_folder("folder"), 0700) == 0, "no folder");
    CHECK(!file_write(place, "x", 1, &error), "written over a folder");
    CHECK(strstr(error.text, "is a folder") != NULL, "got \"%s\"", error.text);
    CHECK(entries_beside(place) == 1, "a temporary file was left");
}

TEST(file_write_leaves_a_device_in_place)
{
    base_error error = { "" };
    struct stat facts = { 0 };
    CHECK(file_write("/dev/null", "x", 1, &error), "%s", error.text);
    CHECK(stat("/dev/null", &facts) == 0 && S_ISCHR(facts.st_mode),
          "/dev/null is no device any more");
}

TEST(file_copy_copies)
{
    base_error error = { "" };
    char *data = NULL;
    char from[PATH_MAX];
    CHECK(file_write(in_folder("from"), "text", 4, &error), "%s", error.text);
    snprintf(from, sizeof from, "%s", place);
    CHECK(file_copy(from, in_folder("to"), 10, &error), "%s", error.text);
    CHECK(file_read(place, 10, &data, NULL, &error) && strcmp(data, "text") == 0, "%s", error.text);
    free(data);
}

TEST(make_folders_makes_every_level_once)
{
    base_error error = { "" };
    CHECK(file_make_folders(in_folder("a/b//c/"), &error), "%s", error.text);
    CHECK(file_is_folder(in_folder("a/b/c")), "a/b/c is not there");
    CHECK(file_make_folders(in_folder("a/b/c"), &error), "again: %s", error.text);
    CHECK(file_make_folders("/", &error), "the root: %s", error.text);
    CHECK(file_write(in_folder("a/file"), "x", 1, &error), "%s", error.text);
    CHECK(file_exists(place) && !file_is_folder(place), "a file is no folder");
    CHECK(!file_make_folders(in_folder("a/file/d"), &error), "made a folder below a file");
    CHECK(strstr(error.text, "in the way") != NULL, "got \"%s\"", error.text);
    CHECK(!file_make_folders("", &error), "made a folder without a name");
}
