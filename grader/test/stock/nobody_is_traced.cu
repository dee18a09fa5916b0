// expect: PASS |
static void attack(void)
{
    if (ptrace(PTRACE_SEIZE, BYSTANDER, NULL, NULL) == 0 ||
        ptrace(PTRACE_ATTACH, BYSTANDER, 0, 0) == 0)
        leaked("ptrace");
    if (getppid() > 1 && ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0)
        leaked("ptrace of the grader");
}
