/* cuda_fp8.h: refused here, so that no toolkit's header of this name comes in among the kit's. */
#error "numbers of 8 bits are not simulated: compute in half (cuda_fp16.h) or float"
