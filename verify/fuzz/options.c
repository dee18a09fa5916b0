/*
 * options.c: the sanitizers' settings of the fuzzers. What costs time and finds nothing in runs
 * this short is small: freed memory is kept aside for a while only, and where a block was allocated
 * is noted to a few calls' depth. A module that asks for too much must meet malloc's refusal, as
 * without ASan.
 */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:quarantine_size_mb=4:thread_local_quarantine_size_kb=64:"
           "malloc_context_size=6";
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) { return "print_stacktrace=1"; }
