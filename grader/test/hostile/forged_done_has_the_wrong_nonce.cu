// expect: POLICY | a message of its own
#include <sys/socket.h>
#include <unistd.h>
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    unsigned returned[4] = { 5, 16, 1, 0 };
    send(5, returned, sizeof returned, 0);
    sleep(60);
}
