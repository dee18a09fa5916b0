// expect: CUDA_ERROR | an error?04 Hillis-Steele scan
// says: some advice?so far
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "hillis_steele.h"

/* Says RETURNED (wire.h) in the runner's place, with texts that would make lines of a report. */
static void attack(void)
{
    static unsigned returned[18 + 832 / 4] = { 6, 832, 1, 0, 1 };

    strcpy((char *)(returned + 18), "an error\n04 Hillis-Steele scan  PASS  100/100");
    strcpy((char *)(returned + 18 + 512 / 4), "some advice\nso far everything passes");
    send(4, returned, sizeof returned, 0);
    sleep(60);
}

void hillis_steele_inclusive(const float *, float *, int) { attack(); }
void hillis_steele_double_buffer(const float *, float *, int) { attack(); }
void hillis_steele_exclusive(const float *, float *, int) { attack(); }
