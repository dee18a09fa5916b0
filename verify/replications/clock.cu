/*
 * One thread that ends when its multiprocessor's clock has gone on by so many cycles: timed from
 * outside, it tells the clock's rate.
 */
#include <cuda_runtime.h>

#include "replications.h"

__global__ void spin(long long cycles)
{
    long long begin = clock64();

    while (clock64() - begin < cycles)
        ;
}

void replication_spin(long long cycles) { spin<<<1, 1>>>(cycles); }
