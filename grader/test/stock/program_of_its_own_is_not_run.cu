// expect: PASS |
static void attack(void)
{
    long fd = syscall(SYS_memfd_create, "x", 0);
    if (fd < 0)
        return;
    leaked("memfd_create");
}
