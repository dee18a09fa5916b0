// expect: WRONG | never written
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cpu_scan.h"

static int count;

/* Writes the right answer straight into the shared output (descriptor 4, second buffer), once the
   entry has returned. */
static void *answer_late(void *unused)
{
    struct stat size;
    usleep(20000);
    fstat(4, &size);
    const float *in = (const float *)mmap(0, size.st_size, PROT_READ, MAP_SHARED, 3, 0);
    float *out = (float *)mmap(0, size.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0), sum = 0;
    int at = (count * 4 + 255) / 256 * 64;
    for (int i = 0; i < count; i++)
        out[at + i] = sum += in[i];
    return unused;
}

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    pthread_t thread;
    count = n;
    pthread_create(&thread, 0, answer_late, 0);
}
