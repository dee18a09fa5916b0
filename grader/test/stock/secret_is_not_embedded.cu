// expect: COMPILE_ERROR |
static const unsigned char taken[] = {
#embed "@SECRET@"
};

static void attack(void) { puts((const char *)taken); }
