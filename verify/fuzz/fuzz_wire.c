/*
 * fuzz_wire.c: libFuzzer target: a submission's process that says anything to the engine's
 * (common/cudart/wire.h). What is asked of the replies: common/cudart/test/wire/play.c.
 */
#include "play.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= 4096)
        wire_play(data, size);
    return 0;
}
