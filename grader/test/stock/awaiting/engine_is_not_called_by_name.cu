// expect: PASS,COMPILE_ERROR,POLICY,CRASH |
// with a solution, 4 s
/* The engine lives in this process: its functions are called by their names. */
extern "C" void *dlsym(void *, const char *) noexcept;

static void attack(void)
{
    static const char *const names[] = { "simt_device_open", "simt_note_finding", "channel_send",
                                         "runner_device_begin" };
    for (const char *name : names)
        if (dlsym(RTLD_DEFAULT, name))
            leaked(name);
}
