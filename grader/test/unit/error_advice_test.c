/*
 * error_advice_test.c: what to do about an error, from a compiler's words. What clang says itself
 * is tried in cli.sh.
 */
#include "error_advice.h"

#include <string.h>

#include "check.h"

static void expect(const char *output, const char *words)
{
    char advice[400];

    error_advice(output, output + strlen(output), "blelloch.cu", advice, sizeof advice);
    CHECK(words[0] ? strstr(advice, words) != NULL : !advice[0], "%s\n\"%s\", expected \"%s\"",
          output, advice, words);
}

TEST(error_advice_knows_the_words_of_nvcc)
{
    expect("identifier \"INT_MAX\" is undefined\n", "#include <limits.h>");
    expect("namespace \"std\" has no member \"vector\"\n", "#include <vector>");
    expect("identifier \"BLELLOCH_SECTION\" is undefined\n", "#include \"blelloch.h\" missing");
}

TEST(error_advice_knows_headers_of_the_toolkit_that_the_kit_lacks)
{
    expect("'cuda/atomic' file not found\n", "ld.acquire.gpu and st.release.gpu in asm");
    expect("'cuda_pipeline.h' file not found\n", "cp.async in asm");
    expect("'cooperative_groups/memcpy_async.h' file not found\n", "cp.async in asm");
    expect("'curand.h' file not found\n", "cuRAND is of the CUDA Toolkit");
    expect("'cuda_other.h' file not found\n", "common/cudart/README.md");
    expect("'bleloch.h' file not found\n", "The lab's own header is \"blelloch.h\"");
    expect("'cub/cub.cuh' file not found\n", ""); /* build.c */
}

TEST(error_advice_takes_the_line_from_a_note_in_the_file)
{
    expect("expected '}'\n    x;\n      ^\nblelloch.cu:7:3: note: to match this '{'\n  {\n  ^\n",
           "the { in line 7 is not closed");
    expect("expected '}'\nother.h:7:3: note: to match this '{'\n", "");
    expect("expected '}'\n", "");
}

TEST(error_advice_gives_the_compilers_reason_for_a_call_that_does_not_fit)
{
    expect("no matching function for call to 'scan'\n  scan(1);\n  ^~~~\n"
           "blelloch.cu:3:6: note: candidate function not viable: requires 2 arguments, but 1 was "
           "provided\n",
           "scan: requires 2 arguments, but 1 was provided");
    expect("no matching function for call to 'malloc'\n"
           "stdlib.h:3:6: note: candidate function not viable: requires 1 argument, but 2 were "
           "provided\n",
           "malloc: requires 1 argument");
    expect("no matching function for call to 'printf'\n"
           "x.h:3:6: note: candidate function not viable: call to __device__ function from "
           "__host__ function\n",
           "#include <stdio.h>");
}

TEST(error_advice_says_nothing_where_nothing_is_known)
{
    expect("use of undeclared identifier 'lft'; did you mean 'left'?\n", "");
    expect("something else\n", "");
    expect("", "");
    expect("unterminated 'quote\n", "");
    expect(
        "a name of more than sixty-four characters: "
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'\n",
        "");
}
