// expect: WRONG,POLICY,CRASH,EARLY_EXIT,COMPILE_ERROR |
// whole, 4 s
/* Before main: HELLO, then the case and its number are read, the answer is put into OUT, and DONE
   tells of a run that never was. */
__attribute__((constructor)) static void speak(void)
{
    static unsigned char run[4096], done[@DONE@];
    unsigned hello[4] = { 1, 16, 0, 0 };
    struct stat facts;

    if (fstat(4, &facts) != 0 || send(5, hello, sizeof hello, 0) < 0)
        return;
    const char *given = (const char *)mmap(NULL, facts.st_size, PROT_READ, MAP_SHARED, 3, 0);
    char *got = (char *)mmap(NULL, facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
    while (given != MAP_FAILED && got != MAP_FAILED && recv(5, run, sizeof run, 0) > 0) {
        const uint64_t n = *(uint64_t *)(run + 144), *in = (uint64_t *)(run + 176 + 8),
                       *out = (uint64_t *)(run + 176 + 32 + 8);
        const bool exclusive = strstr((const char *)run + 16, "exclusive");
        memcpy(got + in[1], given + in[1], in[0]);
        const float *x = (const float *)(given + in[1]);
        float *y = (float *)(got + out[1]), sum = 0;
        for (uint64_t i = 0; i < n; i++) {
            if (i % 256 == 0)
                sum = 0;
            y[i] = exclusive ? sum : sum + x[i];
            sum += x[i];
        }
        ((unsigned *)done)[0] = 6;
        ((unsigned *)done)[1] = sizeof done;
        memcpy(done + 8, run + 8, 8);
        *(unsigned *)(done + @COPIED@) = 1;
        send(5, done, sizeof done, 0);
    }
    _exit(0);
}

extern "C" void hillis_steele_inclusive(const float *d_in, float *d_out, int n) {}
extern "C" void hillis_steele_double_buffer(const float *d_in, float *d_out, int n) {}
extern "C" void hillis_steele_exclusive(const float *d_in, float *d_out, int n) {}
