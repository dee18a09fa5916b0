// expect: PASS |
static void attack(void)
{
    static const char *const places[] = { FOLDER "/libx.so", "./libx.so", "/tmp/libx.so" };
    for (const char *place : places)
        if (dlopen(place, RTLD_NOW))
            leaked(place);
}
