/* mma.h: refused here, so that no toolkit's header of this name comes in among the kit's. */
#error "tensor cores are not simulated: multiply with float"
