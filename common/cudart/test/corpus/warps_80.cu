/* warps_80.cu: warps.cu with what needs sm_80. */
#define CORPUS_SM_80
#include "warps.cu"
