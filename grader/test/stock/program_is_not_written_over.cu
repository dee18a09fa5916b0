// expect: PASS |
static void attack(void)
{
    char self[300];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return;
    self[length] = 0;
    if (open(self, O_WRONLY) >= 0 || unlink(self) == 0 || chmod(self, 0777) == 0 ||
        rename(self, "other") == 0)
        leaked("its own program");
}
