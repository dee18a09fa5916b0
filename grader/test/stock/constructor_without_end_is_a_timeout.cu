// expect: TIMEOUT |
// whole, 2 s
__attribute__((constructor(101))) static void work(void)
{
    volatile unsigned i = 0;
    signal(SIGTERM, SIG_IGN);
    for (;;)
        i++;
}

extern "C" void hillis_steele_inclusive(const float *d_in, float *d_out, int n) {}
extern "C" void hillis_steele_double_buffer(const float *d_in, float *d_out, int n) {}
extern "C" void hillis_steele_exclusive(const float *d_in, float *d_out, int n) {}
