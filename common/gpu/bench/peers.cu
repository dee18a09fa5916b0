/*
 * peers.cu: see peers.h. The one file of C++ here: CUB and Thrust are templates. CUB is given an
 * int for n, with which it computes offsets in 32 bits.
 */
#include "peers.h"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

template <typename T> struct is_positive {
    __device__ __forceinline__ bool operator()(const T &x) const { return x > 0; }
};

template <typename T> static int run_thrust(const T *d_in, T *d_out, int n)
{
    try {
        thrust::inclusive_scan(thrust::device, thrust::device_pointer_cast(d_in),
                               thrust::device_pointer_cast(d_in) + n,
                               thrust::device_pointer_cast(d_out));
    } catch (...) {
        return (int)cudaErrorUnknown;
    }
    return 0;
}

template <typename T>
static int run(peer_op op, void *d_temp, size_t *bytes, void *const *buffers, int n)
{
    const T *d_in = (const T *)buffers[0];
    T *d_out = (T *)buffers[1];

    switch (op) {
    case PEER_INSCAN: return (int)cub::DeviceScan::InclusiveSum(d_temp, *bytes, d_in, d_out, n);
    case PEER_EXSCAN: return (int)cub::DeviceScan::ExclusiveSum(d_temp, *bytes, d_in, d_out, n);
    case PEER_REDUCE: return (int)cub::DeviceReduce::Sum(d_temp, *bytes, d_in, d_out, n);
    case PEER_SELECT:
        return (int)cub::DeviceSelect::If(d_temp, *bytes, d_in, d_out, (int *)buffers[2], n,
                                          is_positive<T>());
    case PEER_THRUST:
        if (d_temp)
            return run_thrust(d_in, d_out, n);
        *bytes = 0; /* it allocates by itself */
        return 0;
    case PEER_MEMCPY: break;
    }
    return (int)cudaErrorInvalidValue;
}

extern "C" int peers_run(peer_op op, peer_type type, void *d_temp, size_t *temp_bytes,
                         void *const *buffers, long long n)
{
    switch (type) {
    case PEER_I32: return run<int>(op, d_temp, temp_bytes, buffers, (int)n);
    case PEER_F32: return run<float>(op, d_temp, temp_bytes, buffers, (int)n);
    case PEER_I64: return run<long long>(op, d_temp, temp_bytes, buffers, (int)n);
    }
    return (int)cudaErrorInvalidValue;
}
