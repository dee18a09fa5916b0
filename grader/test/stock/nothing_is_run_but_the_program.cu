// expect: PASS |
static void attack(void)
{
    char *const arguments[] = { (char *)"cat", (char *)SECRET, NULL };
    execv("/bin/cat", arguments);
    execv("/usr/bin/cat", arguments);
    syscall(SYS_execveat, AT_FDCWD, "/usr/bin/cat", arguments, environ, 0);
}
