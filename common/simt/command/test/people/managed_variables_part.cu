#include "managed_variables.h"
__managed__ volatile int counter = 5;
__managed__ Point last;
__global__ void count()
{
    counter = counter + 1;
    last.weight = counter;
}
int use_from_another_file()
{
    counter = 6;
    count<<<1, 1>>>();
    cudaDeviceSynchronize();
    return counter != 7 || last.weight != 7;
}
