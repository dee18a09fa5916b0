// expect: TIMEOUT |
static void attack(void) { raise(SIGSTOP); }
