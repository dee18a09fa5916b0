// expect: PASS,POLICY,CUDA_ERROR,MEM_LIMIT,TIMEOUT |
// with a solution, 4 s
/* Small pieces, more than anybody can use, before main; each is a row in the engine's table. */
// @BY_HAND@
static void attack(void)
{
    const time_t end = time(NULL) + 2;
    unsigned made = 0;

    if (!ask(WIRE_OPEN, 0, 0, 0, 0))
        return;
    while (time(NULL) < end && ask(WIRE_ALLOC, 1, made % 3, 0, 0))
        made++;
    for (int i = 0; i < 100; i++)
        ask(WIRE_ALLOC, UINT64_MAX - i, i % 5, 0, 0);
}
