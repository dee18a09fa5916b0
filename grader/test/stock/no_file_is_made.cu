// expect: PASS |
static void attack(void)
{
    static const char *const folders[] = { ".", FOLDER, "/tmp", "/var/tmp", "/dev/shm", "/run" };
    char path[300];
    for (const char *folder : folders) {
        snprintf(path, sizeof path, "%s/%s", folder, SEGMENT);
        if (open(path, O_WRONLY | O_CREAT, 0600) >= 0 || mkdir(path, 0700) == 0 ||
            mknod(path, S_IFREG | 0600, 0) == 0)
            leaked(path);
        if (open(folder, O_TMPFILE | O_RDWR, 0600) >= 0)
            leaked("O_TMPFILE");
    }
}
