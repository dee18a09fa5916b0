// expect: PASS |
static void attack(void)
{
    if (truncate(VICTIM, 0) == 0)
        leaked("truncate");
    if (open(VICTIM, O_RDONLY | O_TRUNC) >= 0 || open(VICTIM, O_WRONLY | O_TRUNC) >= 0)
        leaked("O_TRUNC");
}
