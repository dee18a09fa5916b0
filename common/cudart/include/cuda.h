/*
 * cuda.h: for programs that include it beside the runtime, as many do. The driver API (cuInit,
 * cuModuleLoad ...) is not offered.
 */
#ifndef SCANLAB_CUDA_H
#define SCANLAB_CUDA_H

#include "cuda_runtime_api.h"

#define CUDA_VERSION CUDART_VERSION

#endif
