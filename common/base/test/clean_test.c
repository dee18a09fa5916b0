/* clean_test.c: strangers' text does nothing to a terminal. */
#include <string.h>

#include "check.h"
#include "clean.h"

static void expect_clean(const char *given, const char *wanted)
{
    char text[200];

    strcpy(text, given);
    clean_text(text);
    CHECK(strcmp(text, wanted) == 0, "\"%s\" became \"%s\", not \"%s\"", given, text, wanted);
}

TEST(escape_sequences_are_taken_out_of_text)
{
    expect_clean("a\033[2J\033]0;title\007b", "a?[2J?]0;title?b");
    expect_clean("over\rwritten\b\x7f", "over?written??");
    expect_clean("one\n\ttwo", "one\n\ttwo");
}

TEST(letters_of_any_language_stay_in_text)
{
    expect_clean("größe Σ", "größe Σ");
    expect_clean("和 𝛴", "和 𝛴");
}

TEST(what_is_no_utf8_or_turns_writing_round_is_taken_out)
{
    expect_clean("\xff\xc3(", "?"
                              "?(");
    expect_clean("\xc0\x9b", "??");      /* an escape in two bytes */
    expect_clean("\xed\xa0\x80", "???"); /* half of a pair */
    expect_clean("\xc2\x9b"
                 "31m",
                 "?31m");                  /* the one-byte form of ESC [ */
    expect_clean("x\xe2\x80\xaey", "x?y"); /* right to left */
    expect_clean("cut \xe2\x80", "cut ??");
}

TEST(what_cannot_be_seen_is_taken_out_of_text)
{
    expect_clean("a\xe2\x80\x8b"
                 "da",
                 "a?da");                           /* no width */
    expect_clean("\xef\xbb\xbfx\xc2\xady", "?x?y"); /* a mark of order, a soft hyphen */
    expect_clean("x\xf3\xa0\x81\xa1", "x?");        /* a tag */
    /* joiners that join nothing, fillers, vowels without a sound, a blank of Braille, a choice of
       shapes, a beam's begin in music */
    expect_clean("a\u034f\u115f\u1160\u17b4\u17b5z", "a?????z");
    expect_clean("a\u2800\u3164\uffa0\ufe0f\ufe00z", "a?????z");
    expect_clean("a\U0001d173\U0001d17a\U0001bca0\u180b\u206az", "a?????z");
    /* what places hieroglyphs, a blank of theirs, a filler of Khitan, an empty head of a note, and
       what is no character */
    expect_clean("a\U00013430\U0001343f\U00013441\U00016fe4\U0001d159z", "a?????z");
    expect_clean("a\ufdd0\uffff\U0001fffez", "a???z");
    expect_clean("\xd9\x85\xe2\x80\x8c", "\xd9\x85\xe2\x80\x8c"); /* as Persian is written */
}

TEST(blanks_of_every_width_are_known)
{
    CHECK(clean_blanks("  =") == 2 && clean_blanks("=") == 0 && clean_blanks("") == 0, "ASCII");
    CHECK(clean_blanks("\u2003\u2009\u202f\u200c\u200d\u00a0\u3000\u1680\u205f=") == 26, "%zu",
          clean_blanks("\u2003\u2009\u202f\u200c\u200d\u00a0\u3000\u1680\u205f="));
    CHECK(clean_blanks("\u4e00") == 0, "a letter");
}

TEST(columns_of_wide_letters_and_accents_are_counted)
{
    static const struct {
        const char *text;
        unsigned columns;
    } cases[] = { { "", 0 },       { "ada", 3 },  { "Zo\u00eb", 3 }, { "Zoe\u0308", 3 },
                  { "\u4e2d", 2 }, { "\xff", 1 }, { "a\u738bb", 4 }, { "\U0001f600", 2 } };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        EQUAL(cases[i].columns, clean_columns(cases[i].text, strlen(cases[i].text)));
    EQUAL(1, clean_columns("abc", 1));
}
