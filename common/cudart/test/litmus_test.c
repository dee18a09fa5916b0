/*
 * litmus_test.c: the litmus tests of litmus.cu on the engine, with late stores and old values: what
 * the PTX memory model forbids never comes, what it allows comes, unless it is among what is known
 * not to. Makes the tables of common/simt/README.md from what came, and holds the page against
 * them.
 *
 *   cudart_litmus [README.md]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cudart.h"
#include "litmus.h"

enum { SEEDS = 40, TRIES = 64, ROOM = 8192 };

typedef struct variant {
    litmus_access access;
    litmus_fence fence;
    const char *name;
} variant;

static const variant variants[] = {
    { LITMUS_WEAK, LITMUS_NO_FENCE, "weak" },
    { LITMUS_VOLATILE, LITMUS_NO_FENCE, "volatile" },
    { LITMUS_VOLATILE, LITMUS_SC_CTA, "volatile, `__threadfence_block()`" },
    { LITMUS_VOLATILE, LITMUS_SC_GPU, "volatile, `__threadfence()`" },
    { LITMUS_VOLATILE, LITMUS_SC_SYS, "volatile, `__threadfence_system()`" },
    { LITMUS_RELAXED_GPU, LITMUS_NO_FENCE, "relaxed, `.gpu`" },
    { LITMUS_RELAXED_GPU, LITMUS_ACQ_REL_CTA, "relaxed, `.gpu`, `fence.acq_rel.cta`" },
    { LITMUS_RELAXED_GPU, LITMUS_ACQ_REL_GPU, "relaxed, `.gpu`, `fence.acq_rel.gpu`" },
    { LITMUS_RELAXED_GPU, LITMUS_SC_CTA, "relaxed, `.gpu`, `fence.sc.cta`" },
    { LITMUS_RELAXED_GPU, LITMUS_SC_GPU, "relaxed, `.gpu`, `fence.sc.gpu`" },
    { LITMUS_RELAXED_GPU, LITMUS_SC_SYS, "relaxed, `.gpu`, `fence.sc.sys`" },
    { LITMUS_RELAXED_SYS, LITMUS_NO_FENCE, "relaxed, `.sys`" },
    { LITMUS_RELAXED_SYS, LITMUS_ACQ_REL_SYS, "relaxed, `.sys`, `fence.acq_rel.sys`" },
    { LITMUS_RELAXED_SYS, LITMUS_SC_GPU, "relaxed, `.sys`, `fence.sc.gpu`" },
    { LITMUS_RELAXED_SYS, LITMUS_SC_SYS, "relaxed, `.sys`, `fence.sc.sys`" },
    { LITMUS_RELEASE_CTA, LITMUS_NO_FENCE, "release and acquire, `.cta`" },
    { LITMUS_RELEASE_GPU, LITMUS_NO_FENCE, "release and acquire, `.gpu`" },
    { LITMUS_RELEASE_SYS, LITMUS_NO_FENCE, "release and acquire, `.sys`" },
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* How far its fence reaches, or the order that its accesses make: to threads of one place. -1:
   there is no order. */
static int reach(const variant *v)
{
    switch (v->fence) {
    case LITMUS_ACQ_REL_CTA:
    case LITMUS_SC_CTA: return LITMUS_BLOCK;
    case LITMUS_ACQ_REL_GPU:
    case LITMUS_SC_GPU: return LITMUS_DEVICE;
    case LITMUS_ACQ_REL_SYS:
    case LITMUS_SC_SYS: return LITMUS_SYSTEM;
    default:
        return v->access < LITMUS_RELEASE_CTA    ? -1
               : v->access == LITMUS_RELEASE_CTA ? (int)LITMUS_BLOCK
               : v->access == LITMUS_RELEASE_GPU ? (int)LITMUS_DEVICE
                                                 : (int)LITMUS_SYSTEM;
    }
}

/* Are its accesses strong between threads at that place? Volatile ones are of scope .sys. */
static bool strong(const variant *v, litmus_place place)
{
    switch (v->access) {
    case LITMUS_WEAK: return false;
    case LITMUS_RELEASE_CTA: return place <= LITMUS_BLOCK;
    case LITMUS_RELAXED_GPU:
    case LITMUS_RELEASE_GPU: return place <= LITMUS_DEVICE;
    default: return true;
    }
}

/* By the PTX memory model. Accesses that race may do anything, but for what one thread does to one
   place. */
static bool allowed(litmus_test test, const variant *v, litmus_place place)
{
    bool sc = v->fence >= LITMUS_SC_CTA, orders = reach(v) >= (int)place;
    if (test == LITMUS_COWW)
        return false;
    if (!strong(v, place))
        return true;
    switch (test) {
    case LITMUS_MP:
    case LITMUS_LB: return !orders;
    case LITMUS_SB:
    case LITMUS_IRIW: return !(sc && orders);
    default: return false;
    }
}

/* What the engine shows of it (machine/late.h, known limits): lanes of a warp are one thread, a
   load never finds what is stored later, all see stores to one place in one order, and fences of
   any kind are fence.sc. An acquire is a fence after the load: of two loads it stands between. */
static bool modelled(litmus_test test, const variant *v, litmus_place place)
{
    bool fences = v->fence != LITMUS_NO_FENCE && reach(v) >= (int)place;
    if (place == LITMUS_WARP || test == LITMUS_LB || test >= LITMUS_CORR)
        return false;
    if (test == LITMUS_IRIW && v->access >= LITMUS_RELEASE_CTA && reach(v) >= (int)place)
        return false;
    return !fences;
}

static int failures;

/* Races and notes are between_blocks.c's. */
static void ignore(void *user, const char *kernel, const simt_launch_args *args, simt_status status,
                   const simt_report *report)
{
    (void)user, (void)kernel, (void)args, (void)status, (void)report;
}

/* '.': forbidden; 'S': allowed, and seen; 'a': allowed, and never seen here */
static char letter(litmus_test test, const variant *v, litmus_place place)
{
    long seen = 0;
    simt_config c = simt_default_config();
    c.gpus = 2;
    c.late_stores = true;
    c.checks = SIMT_CHECK_BOUNDS; /* weak accesses race */
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        c.seed = seed;
        c.shuffle_warps = true;
        cudart_configure(&c);
        long n = litmus_run(test, v->access, v->fence, place, TRIES);
        if (n < 0) {
            printf("a CUDA error: test %d, %s, place %d\n", test, v->name, place);
            exit(1);
        }
        seen += n;
    }
    bool may = allowed(test, v, place), shown = may && modelled(test, v, place);
    if (!may && seen)
        printf("test %d, %s, place %d: %ld times what is forbidden\n", test, v->name, place, seen);
    else if (shown != (seen > 0))
        printf("test %d, %s, place %d: seen %ld times, expected %s\n", test, v->name, place, seen,
               shown ? "some" : "none");
    failures += shown != (seen > 0);
    return may ? seen ? 'S' : 'a' : '.';
}

static char made[ROOM];
static size_t used;

static void put(const char *text)
{
    size_t length = strlen(text);
    if (used + length >= ROOM)
        exit(1);
    memcpy(made + used, text, length + 1);
    used += length;
}

static void table(litmus_test first, litmus_test last, const char *head)
{
    put(head);
    for (unsigned k = 0; k < VARIANTS; k++) {
        const variant *v = &variants[k];
        if (first == LITMUS_CORR && v->fence != LITMUS_NO_FENCE)
            continue;
        put("| ");
        put(v->name);
        for (litmus_test test = first; test <= last; test++) {
            char cell[] = " | `w b d s`";
            for (litmus_place place = 0; place < LITMUS_PLACES; place++)
                cell[4 + 2 * place] = letter(test, v, place);
            put(cell);
        }
        put(" |\n");
    }
}

static bool page_has_it(const char *path)
{
    static char page[1 << 20];
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    return strstr(page, made) != NULL;
}

int main(int argc, char **argv)
{
    simt_config c = simt_default_config();
    c.gpus = 2;
    cudart_open(&c);
    cudart_observe(ignore, NULL);
    table(LITMUS_MP, LITMUS_IRIW, "| accesses | MP | SB | LB | IRIW |\n|---|---|---|---|---|\n");
    put("\n");
    table(LITMUS_CORR, LITMUS_COWR,
          "| accesses | CoRR | CoWW | CoRW | CoWR |\n|---|---|---|---|---|\n");
    if (argc > 1 && page_has_it(argv[1]))
        return failures > 0;
    printf("%s", made);
    if (argc > 1)
        printf("%s does not have these tables\n", argv[1]);
    return argc > 1 || failures > 0;
}
