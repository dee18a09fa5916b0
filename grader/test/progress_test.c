/*
 * Tests of progress.h: one writes, another looks meanwhile. Two threads stand for the two
 * processes, so that TSan sees what they share (tools/check runs these with it).
 */
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "progress.h"

enum { ROUNDS = 20000 };

static const char *const tasks[] = { "compiling", "compiling the reference",
                                     "a_long_name_of_a_part_that_fills_all_of_it/1234567890" };

static void *grade_something(void *argument)
{
    lab_progress *p = argument;

    progress_plan(p, ROUNDS);
    for (unsigned i = 0; i < ROUNDS; i++) {
        progress_doing(p, "%s", tasks[i % 3]);
        progress_step(p);
    }
    return NULL;
}

TEST(progress_can_be_looked_at_while_it_is_written)
{
    lab_progress p = { 0 };
    pthread_t writer;
    char text[PROGRESS_TEXT];
    unsigned last = 0, percent;

    EXPECT(pthread_create(&writer, NULL, grade_something, &p) == 0);
    do {
        percent = progress_percent(&p);
        progress_text(&p, text);
        EXPECT(percent >= last && percent <= 99);
        EXPECT(memchr(text, '\0', sizeof text) != NULL);
        last = percent;
    } while (percent < 99);
    pthread_join(writer, NULL);
    progress_text(&p, text);
    EXPECT(strcmp(text, tasks[(ROUNDS - 1) % 3]) == 0);
}

TEST(progress_of_a_lab_that_has_not_begun_is_nothing)
{
    lab_progress p = { 0 };
    char text[PROGRESS_TEXT];

    EXPECT(progress_percent(&p) == 0);
    progress_text(&p, text);
    EXPECT(strcmp(text, "") == 0);
    progress_plan(&p, 2);
    for (int i = 0; i < 3; i++) /* one run more than was planned */
        progress_step(&p);
    EXPECT(progress_percent(&p) == 99);
    progress_clear(&p);
    EXPECT(progress_percent(&p) == 0);
    progress_step(NULL); /* nobody looks */
    progress_plan(NULL, 1);
    progress_doing(NULL, "nothing");
}

TEST(progress_text_is_cut_where_it_is_too_long)
{
    lab_progress p = { 0 };
    char text[PROGRESS_TEXT];

    progress_doing(&p, "%s", tasks[2]);
    progress_text(&p, text);
    EXPECT(strlen(text) == PROGRESS_TEXT - 1);
    EXPECT(strncmp(text, tasks[2], PROGRESS_TEXT - 1) == 0);
}
