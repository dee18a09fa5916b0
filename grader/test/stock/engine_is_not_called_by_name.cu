// expect: PASS,COMPILE_ERROR,POLICY,CRASH |
// with a solution, 4 s
/* The engine would be called by the names of its functions, if it were in this process. */
extern "C" void *dlsym(void *, const char *) noexcept;

static void attack(void)
{
    static const char *const names[] = { "simt_open",          "simt_launch",
                                         "simt_configure",     "cudart_serve",
                                         "cudart_calls_made",  "channel_send",
                                         "runner_device_begin" };
    for (const char *name : names)
        if (dlsym(RTLD_DEFAULT, name))
            leaked(name);
}
