/*
 * wrap_test.c: text of several lines in a narrow terminal.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "wrap.h"

TEST(code_that_is_wrapped_stands_in_further_than_its_line)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    if (!to)
        return;
    wrap_fit(30);
    wrap_into(to);
    wrap_text("for each row of the section here:\n    the sum = what comes before it\nend", 2, 2);
    wrap_into(NULL);
    wrap_fit(80);
    fclose(to);
    CHECK(strcmp(text, "for each row of the section\n"
                       "  here:\n"
                       "      the sum = what comes\n"
                       "          before it\n"
                       "  end\n") == 0,
          "%s", text);
    free(text);
}
