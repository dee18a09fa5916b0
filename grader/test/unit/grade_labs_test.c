/*
 * grade_labs_test.c: what becomes of a lab whose grading does not come to an end.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "check.h"
#include "file.h"
#include "grade_labs.h"
#include "labs.h"
#include "path.h"

/* The clock that its gates of time need is somebody else's for ever. */
TEST(lab_that_does_not_end_is_infra)
{
    options o = { .src = "solutions", .backend = "simt", .seeds = 1, .jobs = 1, .seconds = 0.1 };
    char lock[PATH_MAX], results[PATH_MAX], *text = NULL;
    toolchain tools;
    base_error error = { "" };
    const lab *one = labs_find("01", &error);

    snprintf(o.out, sizeof o.out, "%s/grade_labs_test", check_folder());
    EXPECT(one && toolchain_find(&tools, &error) && file_make_folders(o.out, &error) &&
           path_join(lock, sizeof lock, o.out, ".timing.lock", &error) &&
           path_join(results, sizeof results, o.out, "results.json", &error));
    const int held = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    EXPECT(held >= 0 && flock(held, LOCK_EX) == 0);
    EXPECT(grade_labs(&o, &tools, &one, 1) == 3);
    EXPECT(file_read(results, 1 << 20, &text, NULL, &error));
    EXPECT(strstr(text, "\"INFRA\"") && strstr(text, "was not done with this lab after 10 s"));
    free(text);
    close(held);
}
