/* path_test.c: joining and cutting paths. */
#include <string.h>

#include "check.h"
#include "path.h"

static void expect_join(const char *folder, const char *name, const char *expected)
{
    char got[64];
    base_error error = { "" };
    CHECK(path_join(got, sizeof got, folder, name, &error), "%s", error.text);
    CHECK(strcmp(got, expected) == 0, "\"%s\" and \"%s\": expected %s, got %s", folder, name,
          expected, got);
}

TEST(path_join_puts_one_slash)
{
    expect_join("labs", "01", "labs/01");
    expect_join("labs/", "01", "labs/01");
    expect_join("", "01", "01");
    expect_join("labs", "/abs", "/abs");
    expect_join("/", "etc", "/etc");
}

TEST(path_join_refuses_what_does_not_fit)
{
    char got[8];
    base_error error = { "" };
    CHECK(path_join(got, sizeof got, "abc", "def", &error), "7 characters and a NUL fit: %s",
          error.text);
    CHECK(!path_join(got, sizeof got, "abcd", "def", &error), "8 characters and a NUL do not");
    CHECK(strstr(error.text, "too long") != NULL, "got \"%s\"", error.text);
}

TEST(path_join_may_write_over_its_folder)
{
    char path[32] = "labs";
    CHECK(path_join(path, sizeof path, path, "01", NULL) && strcmp(path, "labs/01") == 0, "got %s",
          path);
}

static void expect_parent(const char *path, const char *expected)
{
    char got[64];
    base_error error = { "" };
    CHECK(path_parent(got, sizeof got, path, &error), "%s", error.text);
    CHECK(strcmp(got, expected) == 0, "\"%s\": expected %s, got %s", path, expected, got);
}

TEST(path_parent_and_name_cut_at_the_last_slash)
{
    expect_parent("a/b/c", "a/b");
    expect_parent("a/b/c/", "a/b");
    expect_parent("a//b", "a");
    expect_parent("/a", "/");
    expect_parent("/", "/");
    expect_parent("a", ".");
    expect_parent("", ".");
    CHECK(strcmp(path_name("a/b.cu"), "b.cu") == 0, "got %s", path_name("a/b.cu"));
    CHECK(strcmp(path_name("b.cu"), "b.cu") == 0, "got %s", path_name("b.cu"));
    CHECK(path_has_ending("a/b.cu", ".cu") && !path_has_ending(".cu", ".cu") &&
              !path_has_ending("b.c", ".cu"),
          "ending");
}
