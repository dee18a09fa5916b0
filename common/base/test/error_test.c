/* error_test.c: messages. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "error.h"

TEST(error_message_can_quote_itself)
{
    base_error error;
    CHECK(!error_set(&error, "line %d", 7), "error_set must return false");
    error_set(&error, "while reading: %s", error.text);
    CHECK(strcmp(error.text, "while reading: line 7") == 0, "got \"%s\"", error.text);
    CHECK(!error_set(NULL, "nobody listens"), "a null error must be taken");
}

TEST(error_message_is_cut_at_the_end_of_its_buffer)
{
    base_error error;
    char *many = calloc(1, 2 * sizeof error.text);
    memset(many, 'x', 2 * sizeof error.text - 1);
    error_set(&error, "%s", many);
    CHECK(strlen(error.text) == sizeof error.text - 1, "got %zu characters", strlen(error.text));
    free(many);
}

TEST(die_names_the_program_and_exits_with_the_status)
{
    int ends[2];
    char text[128] = "";
    CHECK(pipe(ends) == 0, "no pipe");
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        die(3, "no clang in %s", "sight");
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
        length += (size_t)got;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3, "wait status %d", status);
    CHECK(strcmp(text, "base_test: no clang in sight\n") == 0, "got \"%s\"", text);
}
