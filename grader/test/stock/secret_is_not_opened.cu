// expect: PASS |
static void attack(void) { tell_file(SECRET); }
