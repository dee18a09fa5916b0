// expect: COMPILE_ERROR | in an asm statement: out of range literal
#include "hillis_steele.h"

#ifndef __CUDA_ARCH__
asm(".globl far\n.set far, 0x1234567812345678\n.data\n.long far\n.text");
#endif
