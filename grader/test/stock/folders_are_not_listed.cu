// expect: PASS |
static void attack(void)
{
    static const char *const folders[] = { FOLDER, KIT, "/root", "/home", "/var" };
    for (const char *folder : folders) {
        DIR *all = opendir(folder);
        if (all && readdir(all))
            leaked(folder);
    }
}
