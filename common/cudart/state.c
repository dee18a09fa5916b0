/* state.c: the runtime's one state; the rules for it are in state.h. */
#include "state.h"

cudart_state cudart;
