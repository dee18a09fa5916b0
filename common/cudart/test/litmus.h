/*
 * litmus.h: litmus tests of the memory model, small programs that each end in an outcome which an
 * order of memory allows or forbids. litmus.cu has them, for the engine and for a GPU; what is
 * expected of them is in litmus_test.c.
 */
#ifndef LITMUS_H
#define LITMUS_H

/* T0, T1 ...: threads; W x 1: stores 1 to x; R x: loads it; F: the fence of the variant */
typedef enum litmus_test {
    LITMUS_MP,   /* T0: W x 1, F, W y 1    T1: R y = 1, F, R x = 0 */
    LITMUS_SB,   /* T0: W x 1, F, R y = 0  T1: W y 1, F, R x = 0 */
    LITMUS_LB,   /* T0: R x = 1, F, W y 1  T1: R y = 1, F, W x 1 */
    LITMUS_IRIW, /* T0: W x 1  T1: W y 1  T2: R x = 1, F, R y = 0  T3: R y = 1, F, R x = 0 */
    LITMUS_CORR, /* T0: W x 1              T1: R x = 1, R x = 0 */
    LITMUS_COWW, /* T0: W x 1, W x 2; x = 1 in the end */
    LITMUS_CORW, /* T0: R x = 2, W x 1     T1: W x 2; x = 2 in the end */
    LITMUS_COWR, /* T0: W x 1, R x = 2     T1: W x 2; x = 1 in the end */
    LITMUS_TESTS
} litmus_test;

typedef enum litmus_access {
    LITMUS_WEAK,
    LITMUS_VOLATILE,
    LITMUS_RELAXED_GPU,
    LITMUS_RELAXED_SYS,
    LITMUS_RELEASE_CTA, /* st.release, ld.acquire */
    LITMUS_RELEASE_GPU,
    LITMUS_RELEASE_SYS,
    LITMUS_ACCESSES
} litmus_access;

typedef enum litmus_fence {
    LITMUS_NO_FENCE,
    LITMUS_ACQ_REL_CTA,
    LITMUS_ACQ_REL_GPU,
    LITMUS_ACQ_REL_SYS,
    LITMUS_SC_CTA, /* __threadfence_block() */
    LITMUS_SC_GPU, /* __threadfence() */
    LITMUS_SC_SYS, /* __threadfence_system() */
    LITMUS_FENCES
} litmus_fence;

/* where the threads are: lanes of a warp, warps of a block, blocks, two GPUs. T0 and T2 are on GPU
   0, as x is, T1 and T3 on GPU 1, as y is */
typedef enum litmus_place {
    LITMUS_WARP,
    LITMUS_BLOCK,
    LITMUS_DEVICE,
    LITMUS_SYSTEM,
    LITMUS_PLACES
} litmus_place;

#ifdef __cplusplus
extern "C"
#endif
    /* In how many of so many tries the outcome came; below 0: a CUDA error. */
    long
    litmus_run(litmus_test test, litmus_access access, litmus_fence fence, litmus_place place,
               long tries);

#endif
