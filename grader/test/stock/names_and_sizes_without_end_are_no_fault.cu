// expect: PASS,POLICY,CUDA_ERROR |
// with a solution, 4 s
/* Every call of the wire with names that do not end and numbers at their edges. */
// @BY_HAND@
static void attack(void)
{
    static const uint64_t edges[] = { 0,          1,          4095,       1ull << 31,
                                      UINT32_MAX, 1ull << 40, 1ull << 63, UINT64_MAX };
    enum { EDGES = sizeof edges / sizeof *edges };
    static wire_message m;

    if (!ask(WIRE_OPEN, 0, 0, 0, 0))
        return;
    memset(m.tail, 'x', sizeof m.tail);
    for (int kind = WIRE_OPEN; kind < WIRE_KINDS; kind++) {
        if (kind == WIRE_WRITE || kind == WIRE_STAGED || kind == WIRE_TOUCH || kind == WIRE_RESET)
            continue;
        for (int i = 0; i < 64; i++) {
            uint64_t a[6];
            for (int k = 0; k < 6; k++)
                a[k] = edges[(i * 5 + k * (i + 3)) % EDGES];
            const unsigned tail = kind == WIRE_KERNEL || kind == WIRE_SYMBOL ? sizeof m.tail : 0;
            m.head = (wire_head){ (uint32_t)kind, tail, { a[0], a[1], a[2], a[3], a[4], a[5] } };
            if (syscall(SYS_sendto, WIRE_SOCKET, &m, sizeof m.head + tail, 0, NULL, 0) < 0 ||
                !hear())
                return;
        }
    }
    ask(WIRE_RESET, 0, 0, 0, 0);
}
