/*
 * clang_pass_test.c: are the kit's precompiled headers there, and taken by whom they are made for?
 */
#include <string.h>

#include "check.h"
#include "clang_pass.h"
#include "config.h"

static bool takes(const clang_pass *pass, const char *what)
{
    static clang_command c;

    clang_pass_command(SCANLAB_CLANG, pass, &c);
    for (int i = 0; i < c.count; i++)
        if (strcmp(c.arguments[i], what) == 0)
            return true;
    return false;
}

TEST(headers_are_precompiled_for_both_passes)
{
    EXPECT(strcmp(clang_pass_headers(SCANLAB_CLANG, true), SCANLAB_DEVICE_HEADERS) == 0);
    EXPECT(strcmp(clang_pass_headers(SCANLAB_CLANG, false), SCANLAB_HOST_HEADERS) == 0);
    EXPECT(takes(&(clang_pass){ .device = true, .precompiled = true }, SCANLAB_DEVICE_HEADERS));
    EXPECT(takes(&(clang_pass){ .precompiled = true }, SCANLAB_HOST_HEADERS));
    EXPECT(!takes(&(clang_pass){ .device = true }, "-include-pch"));
}

TEST(headers_precompiled_by_one_clang_are_not_given_to_another)
{
    EXPECT(strcmp(clang_pass_headers("/usr/bin/another-clang", true), "") == 0);
    EXPECT(strcmp(clang_pass_headers("/usr/bin/another-clang", false), "") == 0);
}
