/*
 * engine_test [MESSAGES]: the engine's end of wire.h takes anything from a client.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cudart.h"
#include "play.h"
#include "rng.h"

int main(int count, char **arguments)
{
    static uint8_t bytes[4096];
    const unsigned long wanted = count > 1 ? strtoul(arguments[1], NULL, 10) : 100000;
    unsigned long messages = 0;
    rng r;

    rng_seed(&r, 17);
    while (messages < wanted) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)rng_next(&r);
        messages += wire_play(bytes, sizeof bytes);
    }
    const cudart_calls calls = cudart_calls_made();
    printf("%lu messages; kernels that ran: %lu; writes: %llu; waits aside: %llu; bytes to the "
           "host: %llu\n",
           messages, wire_play_launches(), (unsigned long long)calls.writes,
           (unsigned long long)calls.waits_aside, (unsigned long long)calls.host_bytes);
    return wire_play_launches() > 0 && calls.writes > 0 && calls.host_bytes > 0 ? 0 : 1;
}
