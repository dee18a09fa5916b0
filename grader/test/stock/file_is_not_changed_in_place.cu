// expect: PASS |
static void attack(void)
{
    int fd = open(VICTIM, O_RDWR);
    if (fd < 0)
        return;
    leaked("open for writing");
    char *text = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (text != MAP_FAILED)
        text[0] = '!';
}
