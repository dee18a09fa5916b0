/* wait.h: WAIT_WHILE, a wait that nothing ends. On a GPU it gives up after 2^24 cycles, so that the
   machine comes back. */
#ifdef __NVCC__
#define WAIT_WHILE(condition)                                                                      \
    do {                                                                                           \
        const long long start = clock64();                                                         \
        while ((condition) && clock64() - start < 1 << 24) {                                       \
        }                                                                                          \
    } while (0)
#else
#define WAIT_WHILE(condition)                                                                      \
    do {                                                                                           \
        while (condition) {                                                                        \
        }                                                                                          \
    } while (0)
#endif
