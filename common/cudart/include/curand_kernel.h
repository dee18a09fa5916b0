/* curand_kernel.h: refused here, so that no toolkit's header of this name comes in among the
   kit's. */
#error "cuRAND is not offered: a small generator in the kernel will do, or numbers made by the host"
