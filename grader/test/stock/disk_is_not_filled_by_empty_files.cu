// expect: PASS |
static void attack(void)
{
    char path[300];
    int made = 0;
    for (int i = 0; i < 20000; i++) {
        snprintf(path, sizeof path, "%s/empty-%d", i % 2 ? FOLDER : ".", i);
        made += open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0;
    }
    if (made)
        leaked("files");
}
