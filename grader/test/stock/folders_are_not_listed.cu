// expect: PASS |
static void attack(void)
{
    static const char *const folders[] = { FOLDER, KIT, "/root", "/home", "/var" };
    for (const char *folder : folders) {
        DIR *all = opendir(folder);
        int names = 0;
        while (all && readdir(all))
            names++;
        if (names > 3)    // ".", "..", and the way to the program itself
            leaked(folder);
    }
}
