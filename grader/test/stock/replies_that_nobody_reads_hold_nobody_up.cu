// expect: POLICY |
// whole, 4 s
/* Asks, and never listens. */
// @BY_HAND@
__attribute__((constructor)) static void ask_on(void)
{
    for (int i = 0; i < 1 << 20 && say(WIRE_OPEN, 0, 0, 0, 0, 0);)
        i++;
    pause();
}

extern "C" void hillis_steele_inclusive(const float *d_in, float *d_out, int n) {}
extern "C" void hillis_steele_double_buffer(const float *d_in, float *d_out, int n) {}
extern "C" void hillis_steele_exclusive(const float *d_in, float *d_out, int n) {}
