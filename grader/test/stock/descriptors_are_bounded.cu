// expect: PASS |
static void attack(void)
{
    int made = 0;
    while (made < 5000 && dup(1) >= 0)
        made++;
    for (int fd = 6; fd < 6000; fd++)
        close(fd);
    if (made == 5000)
        leaked("5000 descriptors");
}
