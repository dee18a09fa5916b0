// catches: cudaFree of a pointer of the host
// simt: bad free: host
#include <stdlib.h>

int main(void)
{
    int *data = (int *)malloc(32 * sizeof *data);
#ifndef RIGHT
    cudaFree(data);
#endif
    free(data);
}
