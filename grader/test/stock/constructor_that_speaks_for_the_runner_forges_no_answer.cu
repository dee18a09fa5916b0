// expect: OVER_BUDGET,WRONG,POLICY,CRASH,EARLY_EXIT,COMPILE_ERROR |
// whole, 4 s
/* Before main: the client's whole part, said by hand. Right answers come of it, and copies that the
   engine counts, and no kernel. */
// @BY_HAND@

__attribute__((constructor)) static void speak(void)
{
    static wire_message call;

    say(WIRE_HELLO, 0, 0, 0, 0, 0);
    while (hear()) {
        if (heard.head.kind == WIRE_CALL) {
            call = heard;
            answer(&call);
            say(WIRE_RETURNED, 1, 0, 0, 0, sizeof(wire_why));
        } else {
            say(WIRE_READY, 1, 0, 0, 0, 0);
        }
    }
    _exit(0);
}

extern "C" void hillis_steele_inclusive(const float *d_in, float *d_out, int n) {}
extern "C" void hillis_steele_double_buffer(const float *d_in, float *d_out, int n) {}
extern "C" void hillis_steele_exclusive(const float *d_in, float *d_out, int n) {}
