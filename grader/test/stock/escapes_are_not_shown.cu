// expect: PASS |
static void attack(void)
{
    printf("\033]0;title\007\033[2J\033[31mPASS\x9b"
           "1m\r\n");
    fflush(stdout);
}
