/* back_state.c: the one device; see back_state.h. */
#include "back_state.h"

cudart_engine cudart_on;

simt_device *cudart_if_open(void) { return cudart_on.device; }
cudart_calls cudart_calls_made(void) { return cudart_on.calls; }
