/* cuda_bf16.h: refused here, so that no toolkit's header of this name comes in among the kit's. */
#error "half precision is not simulated: compute in float"
