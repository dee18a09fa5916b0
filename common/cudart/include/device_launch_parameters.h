/*
 * device_launch_parameters.h: threadIdx, blockIdx, blockDim, gridDim, warpSize.
 *
 * Each member reads a special register when it is used. The register builtins are the one family
 * that has kept its name in clang since CUDA support began; inline PTX would hide from clang that
 * the value never changes.
 */
#ifndef SCANLAB_DEVICE_LAUNCH_PARAMETERS_H
#define SCANLAB_DEVICE_LAUNCH_PARAMETERS_H

#include "vector_types.h"

#define SCANLAB_AXIS(axis, sreg)                                                                   \
    __declspec(property(get = scanlab_get_##axis)) unsigned int axis;                              \
    static inline SCANLAB_DEVICE unsigned int scanlab_get_##axis(void)                             \
    {                                                                                              \
        return __nvvm_read_ptx_sreg_##sreg##_##axis();                                             \
    }

#define SCANLAB_INDEX(name, sreg)                                                                  \
    struct scanlab_##name {                                                                        \
        SCANLAB_AXIS(x, sreg)                                                                      \
        SCANLAB_AXIS(y, sreg) SCANLAB_AXIS(z, sreg) inline SCANLAB_DEVICE operator dim3() const    \
        {                                                                                          \
            return dim3(x, y, z);                                                                  \
        }                                                                                          \
        inline SCANLAB_DEVICE operator uint3() const { return make_uint3(x, y, z); }               \
        /* it is no memory: it cannot be copied, and has no address */                             \
        scanlab_##name(const scanlab_##name &) = delete;                                           \
        void operator=(const scanlab_##name &) const = delete;                                     \
        scanlab_##name *operator&() const = delete;                                                \
    };                                                                                             \
    extern const __device__ __attribute__((weak)) scanlab_##name name;

SCANLAB_INDEX(threadIdx, tid)
SCANLAB_INDEX(blockIdx, ctaid)
SCANLAB_INDEX(blockDim, ntid)
SCANLAB_INDEX(gridDim, nctaid)

#undef SCANLAB_INDEX
#undef SCANLAB_AXIS

__attribute__((device)) const int warpSize = 32;

#endif
