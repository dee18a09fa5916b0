// expect: PASS |
static void attack(void)
{
    if (syscall(SYS_keyctl, 0 /* KEYCTL_GET_KEYRING_ID */, -4, 1) > 0)
        leaked("keyctl");
    if (syscall(SYS_add_key, "user", SEGMENT, "x", 1, -4) > 0)
        leaked("add_key");
}
