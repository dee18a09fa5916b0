// expect: WRONG,POLICY,CRASH,EARLY_EXIT,COMPILE_ERROR |
// whole, 4 s
/* No kernel: a thread goes on writing the answer into the memory that the engine shares. */
typedef struct task {
    float *y;
    volatile float *shared;
    int n;
} task;

static task now;
static volatile bool runs;

static void *write_on(void *nothing)
{
    while (runs)
        for (int i = 0; i < now.n; i++)
            now.shared[i] = now.y[i];
    return nothing;
}

static void forge(const float *d_in, int n, bool exclusive)
{
    struct stat facts;
    pthread_t thread;
    float sum = 0;

    runs = false;
    usleep(1000);
    if (n == 0 || fstat(3, &facts) != 0)
        return;
    float *y = (float *)malloc(n * sizeof *y);
    void *all = mmap(NULL, facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
    if (!y || all == MAP_FAILED)
        return;
    cudaMemcpy(y, d_in, n * sizeof *y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        const float x = y[i];
        if (i % 256 == 0)
            sum = 0;
        y[i] = exclusive ? sum : sum + x;
        sum += x;
    }
    now = (task){ y, (volatile float *)all, n };
    runs = true;
    pthread_create(&thread, NULL, write_on, NULL);
}

extern "C" void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    forge(d_in, n, false);
}
extern "C" void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)
{
    forge(d_in, n, false);
}
extern "C" void hillis_steele_exclusive(const float *d_in, float *d_out, int n)
{
    forge(d_in, n, true);
}
