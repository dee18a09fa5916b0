/* A launch with too many threads, and nobody looks at the error. */
__global__ void nothing(void) {}

int main(void)
{
    nothing<<<1, 2048>>>();
    return 0;
}
