// expect: COMPILE_ERROR,PASS |
/* This pragma compares two files' dates, and names the one that it cannot find. */
static void attack(void)
{
#if __has_include("@SECRET@")
    leaked("that there is a file");
#endif
}
#pragma GCC dependency "@SECRET@" token
