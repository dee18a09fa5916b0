/*
 * on_engine.c: linked into demo_deadlock_gpu where the engine takes the GPU's place: so many blocks
 * run at a time as RESIDENT in the environment says, started in order.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cudart.h"

__attribute__((constructor)) static void open_engine(void)
{
    const char *resident = getenv("RESIDENT");
    simt_config config = simt_default_config();

    config.resident_blocks = resident ? (unsigned)atoi(resident) : 4;
    if (!cudart_open(&config)) {
        fprintf(stderr, "on_engine: %s\n", cudart_detail());
        exit(3);
    }
}
