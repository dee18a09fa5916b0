/* common_functions.h: what it holds in a toolkit comes with cuda_runtime.h here. */
#include "cuda_runtime.h"
