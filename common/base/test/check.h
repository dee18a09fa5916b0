/*
 * check.h: a unit test in C, for this folder's tests.
 *
 * TEST(name) { ... } defines and registers a test; CHECK(condition, format, ...) says what was
 * expected and goes on, as do EXPECT(condition), which says the condition alone, and
 * EQUAL(expected, got), of integers. The program runs the tests named on its command line, or all
 * of them; it exits 1 if a check failed, 2 for an unknown name and 77 if the only test that was
 * asked for could not be made here and said so.
 */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#include <stdbool.h>

void check_register(const char *name, void (*body)(void));
void check_failed(const char *file, int line, const char *condition, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void check_equal(const char *file, int line, const char *got_text, unsigned long long expected,
                 unsigned long long got);

/* The test that runs. */
const char *check_name(void);

/* Says why the running test cannot be made on this system. */
void check_skip(const char *reason);

/* A fresh folder for one test, removed with its files when the program ends. */
const char *check_folder(void);

#define TEST(name)                                                                                 \
    static void name(void);                                                                        \
    __attribute__((constructor)) static void register_##name(void)                                 \
    {                                                                                              \
        check_register(#name, name);                                                               \
    }                                                                                              \
    static void name(void)

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__);                             \
    } while (0)

#define EXPECT(condition) CHECK(condition, "in %s", check_name())
#define EQUAL(expected, got)                                                                       \
    check_equal(__FILE__, __LINE__, #got, (unsigned long long)(expected), (unsigned long long)(got))

#endif
