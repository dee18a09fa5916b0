/*
 * aside.c: see aside.h.
 */
#define _GNU_SOURCE
#include "aside.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "process.h"

typedef struct copied {
    run r;
    lab_result result;
} copied;

static double bytes_of(const run *r, unsigned part)
{
    size_t sizes[JUDGE_MAX_SIZES], count = run_sizes(r, part, sizes);
    double bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += (double)judge_total_bytes(&r->l->parts[part], sizes[i]);
    return bytes;
}

/* run_mixed_entries asks for what calls of other entries leave behind, where blocks wait. */
bool aside_may(const run *r)
{
    return r->host_threads >= 2 && r->l->blocks_wait && !r->gpu && !r->o->part[0] && !r->o->quick &&
           !r->o->alike_once;
}

unsigned aside_parts(const run *r, const unsigned *order, unsigned count)
{
    double mine = 0, theirs = 0;
    unsigned parts = 0;

    if (!aside_may(r))
        return 0;
    for (unsigned i = 0; i < count; i++) {
        const bool give = theirs < mine;
        *(give ? &theirs : &mine) += bytes_of(r, order[i]);
        parts |= give ? 1u << order[i] : 0;
    }
    return parts;
}

static _Noreturn void do_theirs(copied *c, unsigned parts, aside_work *work)
{
    base_error error;

    progress_quiet();
    c->r.session = run_open_session(&c->r, c->r.program, &error);
    if (!c->r.session)
        _exit(1);
    work(&c->r, parts);
    session_close(c->r.session);
    _exit(0);
}

/* Shared with the copy, whose run and result these are from now on. Null: no memory. */
static copied *make_copied(const run *r)
{
    copied *c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (c == MAP_FAILED)
        return NULL;
    c->r = *r;
    c->result = *r->result;
    c->r.result = &c->result;
    c->r.aside = true;
    return c;
}

void aside_do(run *r, unsigned mine, unsigned theirs, aside_work *work, aside_take *take)
{
    const unsigned threads = r->host_threads;
    pid_t copy = -1;

    copied *c = theirs && !r->dead ? make_copied(r) : NULL;
    if (c) {
        session_renew(r->session); /* or the copy would keep its sockets open */
        r->host_threads = c->r.host_threads = threads / 2;
        copy = process_copy();
    }
    if (copy == 0)
        do_theirs(c, theirs, work);
    work(r, mine);
    r->host_threads = threads;
    if (copy > 0 && process_copy_end(copy)) {
        take(r, &c->r, theirs);
        r->dead = r->dead || c->r.dead;
    } else if (theirs) {
        work(r, theirs);
    }
    if (c)
        munmap(c, sizeof *c);
}

static void take_gates(run *r, const lab_result *found, unsigned parts)
{
    for (unsigned g = 0; g < found->gate_count && r->result->gate_count < RESULT_GATES; g++)
        if (parts >> found->gates[g].part & 1)
            r->result->gates[r->result->gate_count++] = found->gates[g];
}

void aside_take_cases(run *r, const run *copy, unsigned parts)
{
    lab_result *const to = r->result;
    const lab_result *const found = copy->result;

    take_gates(r, found, parts);
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        if (!(parts >> p & 1))
            continue;
        r->first[p] = copy->first[p];
        r->count[p] = copy->count[p];
        memcpy(&to->cases[r->first[p]], &found->cases[r->first[p]],
               r->count[p] * sizeof to->cases[0]);
        to->part_verdict[p] = found->part_verdict[p];
        to->shown[p] = found->shown[p];
        to->counts[p] = found->counts[p];
        to->notes[p] = found->notes[p];
        to->todos_blamed[p] = found->todos_blamed[p];
        to->todos_ahead[p] = found->todos_ahead[p];
        memcpy(r->measured[p], copy->measured[p], sizeof r->measured[p]);
        memcpy(r->dearest[p], copy->dearest[p], sizeof r->dearest[p]);
        r->refused[p] = copy->refused[p];
    }
}
