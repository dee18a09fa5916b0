/*
 * entry.c: see entry.h.
 */
#include "entry.h"

/* Defines name(entry, buffers, count, n), which calls entry(buffer..., n) with n of that type. A
   pointer to an object becomes a pointer to a function by its bits: POSIX dlsym allows it, ISO C
   has no cast. */
#define DEFINE_CALL(name, type)                                                                    \
    static void name(void *entry, void *const *b, unsigned count, type n)                          \
    {                                                                                              \
        union {                                                                                    \
            void *object;                                                                          \
            void (*f1)(void *, type);                                                              \
            void (*f2)(void *, void *, type);                                                      \
            void (*f3)(void *, void *, void *, type);                                              \
            void (*f4)(void *, void *, void *, void *, type);                                      \
            void (*f5)(void *, void *, void *, void *, void *, type);                              \
        } as = { entry };                                                                          \
        switch (count) {                                                                           \
        case 1: as.f1(b[0], n); break;                                                             \
        case 2: as.f2(b[0], b[1], n); break;                                                       \
        case 3: as.f3(b[0], b[1], b[2], n); break;                                                 \
        case 4: as.f4(b[0], b[1], b[2], b[3], n); break;                                           \
        case 5: as.f5(b[0], b[1], b[2], b[3], b[4], n); break;                                     \
        default: break;                                                                            \
        }                                                                                          \
    }

DEFINE_CALL(call_with_int, int)
DEFINE_CALL(call_with_long_long, long long)

void entry_call(void *entry, void *const *buffers, unsigned count, bool wide_n, long long n)
{
    if (wide_n)
        call_with_long_long(entry, buffers, count, n);
    else
        call_with_int(entry, buffers, count, (int)n);
}
