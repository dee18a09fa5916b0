// expect: MEM_LIMIT |
/* The first thread ends, and another goes on on its stack: what the system says of the first one's
   memory is nothing. What is taken is made read-only, so that no limit of private memory holds. */
#include <setjmp.h>

static jmp_buf where;

static void *go_on(void *)
{
    usleep(300000);
    longjmp(where, 1);
    return NULL;
}

static void attack(void)
{
    const size_t part = (size_t)64 << 20;
    static int calls;
    pthread_t thread;
    size_t held = 0;

    if (calls++ == 0) /* before main */
        return;
    if (setjmp(where) == 0) {
        pthread_create(&thread, NULL, go_on, NULL);
        syscall(SYS_exit, 0);
    }
    while (held <= (size_t)3 << 30) {
        char *all =
            (char *)mmap(NULL, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED)
            break;
        for (size_t i = 0; i < part; i += 4096)
            all[i] = 1;
        mprotect(all, part, PROT_READ);
        held += part;
        usleep(10000);
    }
    if (held > (size_t)3 << 30)
        leaked("more than 3 GiB of memory");
}
