// expect: WRONG | never written
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "cpu_scan.h"

/* Holds the whole conversation of wire.h in main's place, and computes nothing: says HELLO; READY
   where arrays are to be mapped; RETURNED where an entry is called. */
__attribute__((constructor)) static void play_the_client(void)
{
    static unsigned hello[18] = { 4 }, ready[18] = { 5, 0, 1 },
                    returned[18 + 832 / 4] = { 6, 832, 1 };
    unsigned heard[2000];

    send(4, hello, sizeof hello, 0);
    while (recv(4, heard, sizeof heard, 0) > 0)
        if (heard[0] == 2)
            send(4, ready, sizeof ready, 0);
        else
            send(4, returned, sizeof returned, 0);
    _exit(0);
}

void cpu_scan_inclusive(const float *in, float *out, int n) {}
