// expect: OVER_BUDGET,WRONG,POLICY,CRASH,EARLY_EXIT,COMPILE_ERROR |
// whole, 4 s
/* The client's own send and recv are found here first: when it says that the entry has returned,
   the answer is made, between two copies, by calls that the client does not make. */
// @BY_HAND@

static wire_message call;

extern "C" ssize_t recv(int fd, void *to, size_t room, int flags)
{
    const ssize_t got = recvfrom(fd, to, room, flags, NULL, NULL);
    if (got > 0 && *(const unsigned *)to == WIRE_CALL)
        memcpy(&call, to, got);
    return got;
}

extern "C" ssize_t send(int fd, const void *from, size_t size, int flags)
{
    if (*(const unsigned *)from == WIRE_RETURNED)
        answer(&call);
    return sendto(fd, from, size, flags, NULL, 0);
}

extern "C" void hillis_steele_inclusive(const float *d_in, float *d_out, int n) {}
extern "C" void hillis_steele_double_buffer(const float *d_in, float *d_out, int n) {}
extern "C" void hillis_steele_exclusive(const float *d_in, float *d_out, int n) {}
