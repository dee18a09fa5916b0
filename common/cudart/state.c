/* state.c: the runtime's one state; the rules for it are in state.h. */
#include "state.h"

cudart_state cudart;
_Thread_local cudart_thread cudart_mine;
_Thread_local unsigned cudart_gpu;

bool cudart_has_faulted(void)
{
    return cudart.pending != cudaSuccess || cudart.sticky != cudaSuccess;
}
