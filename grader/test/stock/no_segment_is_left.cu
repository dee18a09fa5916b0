// expect: PASS |
static void attack(void)
{
    int id = shmget(KEY, 1 << 20, IPC_CREAT | 0600);
    if (id >= 0)
        leaked("shmget");
    if (semget(KEY, 1, IPC_CREAT | 0600) >= 0 || msgget(KEY, IPC_CREAT | 0600) >= 0)
        leaked("semget");
}
