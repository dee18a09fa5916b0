/* state.c: the runtime's one state; the rules for it are in state.h. */
#include "state.h"

cudart_state cudart;

bool cudart_has_faulted(void)
{
    return cudart.pending != cudaSuccess || cudart.sticky != cudaSuccess;
}
