// expect: PASS |
static void attack(void)
{
    tell_file(KIT "/solutions/04_hillis_steele/hillis_steele.cu");
    tell_file(KIT "/labs/04_hillis_steele/grading/lab.c");
    tell_file(KIT "/grader/main.c");
}
