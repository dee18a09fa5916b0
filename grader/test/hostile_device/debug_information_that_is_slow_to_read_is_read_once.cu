// expect: RACE | race
// Debug information that takes minutes to read: ranges, each compared with all before it.
#include "hillis_steele.h"

asm(".pushsection .debug_info,\"\",@progbits,unique,7\n"
    ".long 1f-0f\n0: .short 4\n.long slow_abbrev\n.byte 8, 1\n.long 0\n"
    ".quad hillis_steele_inclusive\n.quad 0x7fffffff\n"
    ".rept 20\n.byte 2\n.long slow_ranges\n.endr\n.byte 0\n1:\n.popsection\n"
    ".pushsection .debug_ranges,\"\",@progbits,unique,7\nslow_ranges:\n.set slow_at, 0\n"
    ".rept 60000\n.quad 16 + slow_at\n.quad 17 + slow_at\n.set slow_at, slow_at + 32\n.endr\n"
    ".quad 0\n.quad 0\n.popsection\n"
    ".pushsection .debug_abbrev,\"\",@progbits,unique,7\n"
    "slow_abbrev: .byte 1,0x11,1,0x10,0x17,0x11,1,0x12,7,0,0,2,0x2e,0,0x55,0x17,0,0,0\n"
    ".popsection");

__global__ void race(float *d_out) { d_out[0] = threadIdx.x; }

#define LAUNCH(k)                                                                                  \
    case k:                                                                                        \
        cudaLaunchKernel((const void *)race, dim3(1), dim3(64), arguments, 0, 0);                  \
        asm volatile("nop # " #k);                                                                 \
        break;

/* each case by a launch of its own */
__attribute__((nodebug)) void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    static int turn;
    void *arguments[] = { &d_out };

    if (n > 0)
        switch (turn++ % 8) {
            LAUNCH(0) LAUNCH(1) LAUNCH(2) LAUNCH(3) LAUNCH(4) LAUNCH(5) LAUNCH(6) LAUNCH(7)
        }
}
