/* state.c: the runtime's one state; the rules for it are in state.h. */
#include "state.h"

cudart_state cudart;

simt_device *cudart_if_open(void) { return cudart.device; }
cudart_calls cudart_calls_made(void) { return cudart.calls; }

bool cudart_has_faulted(void)
{
    return cudart.pending != cudaSuccess || cudart.sticky != cudaSuccess;
}
