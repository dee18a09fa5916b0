// expect: EARLY_EXIT,POLICY,CRASH,TIMEOUT,CUDA_ERROR |
// with a solution, 4 s
/* The socket and the shared memory, kept under other numbers; others of its own in their place. */
static void attack(void)
{
    int pair[2];
    const int kept = dup(4), memory = dup(3);

    if (pipe(pair) != 0)
        return;
    dup2(pair[1], 4);
    dup2(pair[0], 3);
    char text[100] = "nothing that the wire knows";
    syscall(SYS_sendto, kept, text, sizeof text, 0, NULL, 0);
    shutdown(kept, SHUT_RD);
    close(kept);
    close(memory);
}
