/* whole_test.c: which copies in LLVM's text are made by whole vectors. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "whole.h"

/* A copy of so many bytes from a pointer that a phi chose, in clang 14's text; later clangs write
   no types of pointers. */
static char *copy_of_a_choice(int bytes, bool typed)
{
    static char text[800];

    if (typed)
        snprintf(text, sizeof text,
                 "  %%5 = phi %%struct.v* [ %%3, %%1 ], [ %%4, %%2 ], !dbg !7\n"
                 "  %%6 = bitcast %%struct.v* %%9 to i8*, !dbg !7\n"
                 "  %%7 = bitcast %%struct.v* %%5 to i8*, !dbg !7\n"
                 "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align %d %%6, i8* align %d %%7, "
                 "i64 %d, i1 false), !dbg !7\n",
                 bytes, bytes, bytes);
    else
        snprintf(text, sizeof text,
                 "  %%5 = phi ptr [ %%3, %%1 ], [ %%4, %%2 ], !dbg !7\n"
                 "  call void @llvm.memcpy.p0.p0.i64(ptr align %d %%9, ptr align %d %%5, "
                 "i64 %d, i1 false), !dbg !7\n",
                 bytes, bytes, bytes);
    return whole_copies(text);
}

/* Does the text, which is given back here, have these words? */
static void expect(char *text, const char *words, bool has)
{
    const char *const made = text ? text : "";

    CHECK((strstr(made, words) != NULL) == has, "\"%s\" is %s:\n%s", words,
          has ? "missing" : "there", made);
    free(text);
}

TEST(copy_of_a_chosen_vector_stays_one_load)
{
    for (int typed = 0; typed < 2; typed++) {
        expect(copy_of_a_choice(16, typed), "v0 = freeze <4 x i32> %whole.0.raw0, !dbg !7", true);
        expect(copy_of_a_choice(16, typed), "align 16, !dbg !7", true);
        expect(copy_of_a_choice(16, typed), "memcpy", false);
        expect(copy_of_a_choice(8, typed), "v0 = freeze <2 x i32> %whole.0.raw0, !dbg !7", true);
        expect(copy_of_a_choice(8, typed), "memcpy", false);
    }
}

TEST(copy_of_any_other_vector_is_loaded_without_a_freeze)
{
    static const char four[] = "  %5 = phi i32 [ 3, %1 ], [ 4, %2 ]\n"
                               "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %6, "
                               "i8* align 16 %7, i64 16, i1 false)\n",
                      two[] = "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %6, "
                              "i8* align 8 %7, i64 8, i1 false)\n";

    expect(whole_copies(four), "v0 = load <4 x i32>", true);
    expect(whole_copies(four), "freeze", false);
    expect(whole_copies(two), "memcpy", true);
}
