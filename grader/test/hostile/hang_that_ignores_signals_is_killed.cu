// expect: TIMEOUT | had not returned
#include <signal.h>
#include <unistd.h>
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    for (int number = 1; number < 32; number++)
        signal(number, SIG_IGN);
    for (;;)
        sleep(1);
}
