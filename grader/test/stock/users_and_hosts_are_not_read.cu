// expect: PASS |
static void attack(void)
{
    tell_file("/etc/passwd");
    tell_file("/etc/shadow");
    tell_file("/etc/hosts");
    tell_file("/proc/1/environ");
}
