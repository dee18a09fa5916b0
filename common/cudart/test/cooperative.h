/* cooperative.h: what cooperative.cu gives cooperative_test.c. */
#ifdef __cplusplus
extern "C" {
#endif
/* Rotates blocks x threads values by one block a round, adding 1. Returns the CUDA error. */
int run_rotate(int *values, int blocks, int threads, int rounds, int cooperative);
/* Blocks of so many threads that the device says it can hold. */
int places_for_rotate(int threads);
#ifdef __cplusplus
}
#endif
