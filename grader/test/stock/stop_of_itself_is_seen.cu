// expect: TIMEOUT |
// with a solution, 3 s
static void attack(void) { raise(SIGSTOP); }
