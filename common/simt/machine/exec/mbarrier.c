/*
 * mbarrier.c: mbarriers, which tell of the end of copies and of what threads have done. Interface:
 * mbarrier_* in async.h, async_describe in machine.h, the x_ handlers of ops.def.
 *
 * An mbarrier is a word of shared memory: pending arrivals, expected arrivals, transaction count,
 * phase. Its copy in the block's list tells one that was initialised from any other word, and holds
 * the clocks of those who have arrived. Invariant: arrivals and phases count as changes of memory
 * (worker.version), so that no proof of a deadlock overlooks them. Source: PTX ISA manual,
 * "mbarrier".
 */
#include "machine/exec/async.h"
#include "machine/exec/polls.h"
#include "machine/found.h"
#include "machine/site.h"

#include <string.h>

/* ---- words ----------------------------------------------------------------------------------- */

static uint64_t pack(uint32_t pending, uint32_t expected, int32_t tx, uint32_t phase)
{
    return pending | (uint64_t)expected << 20 | (uint64_t)((uint32_t)tx & 0x1fffff) << 40 |
           (uint64_t)(phase & 7) << 61;
}

static uint32_t phase_of(uint64_t word) { return (uint32_t)(word >> 61); }

void mbarrier_put(simt_block *b, mbarrier *m, uint32_t pending, uint32_t expected, int32_t tx,
                  int who)
{
    if (pending == 0 && tx == 0) { /* the phase is complete */
        m->phase++;
        m->ended_by = who;
        m->came = m->arrived;
        m->brought = m->bytes;
        m->arrived = m->waited = 0;
        m->bytes = 0;
        pending = expected;
    }
    m->word = pack(pending, expected, tx, m->phase);
    memcpy(b->shared + m->offset, &m->word, 8);
    b->worker->version++;
}

mbarrier *mbarrier_find(const async_state *s, uint32_t offset)
{
    for (unsigned k = 0; k < s->mbarrier_count; k++)
        if (s->mbarriers[k].offset == offset)
            return &s->mbarriers[k];
    return NULL;
}

static simt_mbarrier_facts facts_of(const mbarrier *m)
{
    return (simt_mbarrier_facts){ .known = true,
                                  .phase = m->phase,
                                  .pending = pending_of(m->word),
                                  .expected = expected_of(m->word),
                                  .bytes = tx_of(m->word) };
}

/* m: where there is one; asked: the number that is wrong */
static void bad_mbarrier(simt_warp *w, const insn *i, unsigned lane, uint32_t offset,
                         simt_cause cause, const mbarrier *m, uint32_t asked)
{
    simt_finding *f = found_add(w, SIMT_BAD_SYNC, i, NULL, lane);
    if (f) {
        simt_place p;
        site_in_shared(w->block->part->kernel, offset, &p);
        site_take_place(f, &p);
        f->cause = cause;
        f->mbarrier = m ? facts_of(m) : (simt_mbarrier_facts){ 0 };
        f->mbarrier.arrivals = f->mbarrier.parity = asked;
    }
    found_fatal(w, f);
}

mbarrier *mbarrier_live(simt_warp *w, const insn *i, unsigned lane, uint32_t offset)
{
    if (!async_is_good_shared(w, i, lane, offset, 8, 8))
        return NULL;
    async_state *s = async_state_of(w);
    mbarrier *m = s ? mbarrier_find(s, offset) : NULL;
    if (m && memcmp(w->block->shared + offset, &m->word, 8) == 0)
        return m;
    if (!s)
        return NULL;
    if (m)
        bad_mbarrier(w, i, lane, offset, SIMT_CAUSE_MBARRIER_OVERWRITTEN, m, 0);
    else
        bad_mbarrier(w, i, lane, offset, SIMT_CAUSE_MBARRIER_NONE, NULL, 0);
    return NULL;
}

bool mbarrier_change_tx(simt_warp *w, const insn *i, unsigned lane, mbarrier *m, int64_t by,
                        int who)
{
    int64_t tx = tx_of(m->word) + by;
    if (tx > MAX_COUNT || tx < -MAX_COUNT) {
        bad_mbarrier(w, i, lane, m->offset, SIMT_CAUSE_MBARRIER_BYTES, m, 0);
        return false;
    }
    mbarrier_put(w->block, m, pending_of(m->word), expected_of(m->word), (int32_t)tx, who);
    return true;
}

bool mbarrier_arrive(simt_warp *w, const insn *i, unsigned lane, mbarrier *m, uint32_t count,
                     bool drop, bool release)
{
    uint32_t pending = pending_of(m->word), expected = expected_of(m->word);
    if (count == 0 || count > pending) {
        bad_mbarrier(w, i, lane, m->offset, SIMT_CAUSE_MBARRIER_ARRIVALS, m, count);
        return false;
    }
    if (release) {
        NOTIFY_WATCHERS(w->worker, mbarrier_arrive, w, lane, &m->published);
        if (w->worker->launch->late)
            stale_fence(w, SCOPE_CTA);
    }
    m->arrived |= 1u << w->index;
    mbarrier_put(w->block, m, pending - count, expected - (drop ? count : 0), tx_of(m->word),
                 (int)w->index);
    return true;
}

/* Lanes that look at one word are checked as one. */
void mbarrier_touch(simt_warp *w, const insn *i, uint32_t mask, const uint32_t *offset, bool write,
                    bool atomic)
{
    uint32_t first = offset[__builtin_ctz(mask)], other = 0;
    w->publishes += write;
    FOR_LANES (l, mask)
        other |= (uint32_t)(offset[l] != first) << l;
    if (!other && (atomic || !write))
        mask &= -mask;
    const memory_access a = { .form = i->extra,
                              .insn = i,
                              .mask = mask,
                              .bytes = 8,
                              .write = write,
                              .atomic = atomic,
                              .order = atomic || !write ? STRONG : WEAK };
    NOTIFY_WATCHERS(w->worker, mbarrier_used, w, &a, offset);
}

bool mbarrier_offsets(simt_warp *w, const insn *i, uint32_t mask, uint32_t *offset, bool live)
{
    const async_place p = { i->a, i->wide & 1, i->imm };
    FOR_LANES (l, mask) {
        offset[l] = shared_offset(place_of(w, &p, l));
        if (live ? !mbarrier_live(w, i, l, offset[l])
                 : !async_is_good_shared(w, i, l, offset[l], 8, 8))
            return false;
    }
    return true;
}

/* ---- instructions ---------------------------------------------------------------------------- */

void x_mbarrier_init(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t offset[LANES];
    async_state *s = async_state_of(w);
    async_needs(w, i, (unsigned)__builtin_ctz(mask), false, SIMT_CAUSE_USES_MBARRIER);
    if (!s || !mbarrier_offsets(w, i, mask, offset, false))
        return;
    mbarrier_touch(w, i, mask, offset, true, false);
    FOR_LANES (l, mask) {
        uint32_t count = word32(w, i->b, l);
        if (count == 0 || count > MAX_COUNT) {
            bad_mbarrier(w, i, l, offset[l], SIMT_CAUSE_MBARRIER_COUNT, NULL, 0);
            return;
        }
        if (mbarrier_find(s, offset[l])) {
            bad_mbarrier(w, i, l, offset[l], SIMT_CAUSE_MBARRIER_AGAIN, NULL, 0);
            return;
        }
        if (!async_room_for_one(w, (void **)&s->mbarriers, s->mbarrier_count, &s->mbarrier_capacity,
                                sizeof *s->mbarriers))
            return;
        mbarrier *m = &s->mbarriers[s->mbarrier_count++];
        *m = (mbarrier){ .offset = offset[l], .init = i, .warp = w->index, .lane = l };
        mbarrier_put(w->block, m, count, count, 0, (int)w->index);
        NOTIFY_WATCHERS(w->worker, mbarrier_set, w->block, offset[l], 8);
    }
}

void x_mbarrier_inval(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t offset[LANES];
    if (!mbarrier_offsets(w, i, mask, offset, true))
        return;
    mbarrier_touch(w, i, mask, offset, true, false);
    async_state *s = w->block->async;
    FOR_LANES (l, mask) {
        mbarrier *m = mbarrier_live(w, i, l, offset[l]);
        if (!m)
            return;
        memset(w->block->shared + m->offset, 0xff, 8);
        *m = s->mbarriers[--s->mbarrier_count];
    }
}

/* Lanes one after another: each takes the state before its arrival. */
void x_mbarrier_arrive(simt_warp *w, const insn *i, uint32_t mask)
{
    const mbarrier_form *f = i->extra;
    uint32_t offset[LANES];
    async_needs(w, i, (unsigned)__builtin_ctz(mask), f->expect,
                f->expect ? SIMT_CAUSE_USES_EXPECT_TX : SIMT_CAUSE_USES_MBARRIER);
    if (!mbarrier_offsets(w, i, mask, offset, true))
        return;
    mbarrier_touch(w, i, mask, offset, true, true);
    FOR_LANES (l, mask) {
        mbarrier *m = mbarrier_live(w, i, l, offset[l]);
        if (!m)
            return;
        uint64_t before = m->word;
        if (f->expect && !mbarrier_change_tx(w, i, l, m, word32(w, i->b, l), (int)w->index))
            return;
        if (!mbarrier_arrive(w, i, l, m, f->expect || i->b < 0 ? 1 : word32(w, i->b, l), f->drop,
                             !f->relaxed))
            return;
        if (i->d >= 0)
            ((uint64_t *)REG(i->d))[l] = before;
    }
}

/* expect_tx, and complete_tx, which takes bytes away as a copy would */
void x_mbarrier_tx(simt_warp *w, const insn *i, uint32_t mask)
{
    const mbarrier_form *f = i->extra;
    uint32_t offset[LANES];
    async_needs(w, i, (unsigned)__builtin_ctz(mask), true, SIMT_CAUSE_USES_TX_COUNT);
    if (!mbarrier_offsets(w, i, mask, offset, true))
        return;
    mbarrier_touch(w, i, mask, offset, true, true);
    FOR_LANES (l, mask) {
        mbarrier *m = mbarrier_live(w, i, l, offset[l]);
        int64_t by = word32(w, i->b, l);
        if (!m || !mbarrier_change_tx(w, i, l, m, f->expect ? by : -by, (int)w->index))
            return;
    }
}

void x_mbarrier_pending(simt_warp *w, const insn *i, uint32_t mask)
{
    const uint64_t *state = (const uint64_t *)REG(i->a);
    uint32_t *d = (uint32_t *)REG(i->d);
    FOR_LANES (l, mask)
        d[l] = pending_of(state[l]);
}

/* ---- seen by bulk copies only after a fence -------------------------------------------------- */

/* fence.mbarrier_init: of what the warp has initialised; fence.proxy.async (all): of everything. */
static void show_inits(simt_warp *w, bool all)
{
    async_state *s = w->block->async;
    for (unsigned k = 0; s && k < s->mbarrier_count; k++)
        if (all || s->mbarriers[k].warp == w->index)
            s->mbarriers[k].fenced |= 1u << w->index;
}

void x_fence_mbarrier_init(simt_warp *w, const insn *i, uint32_t mask)
{
    (void)i;
    (void)mask;
    show_inits(w, false);
}

void x_fence_proxy(simt_warp *w, const insn *i, uint32_t mask)
{
    (void)mask;
    if (i->imm & PROXY_SHARED)
        show_inits(w, true);
    NOTIFY_WATCHERS(w->worker, proxy_fence, w, i->imm & PROXY_SHARED, i->imm & PROXY_GLOBAL);
}

void mbarrier_check_init(simt_warp *w, const insn *i, unsigned lane, const mbarrier *m)
{
    if (m->fenced & (1u << m->warp | 1u << w->index) ||
        !(w->worker->launch->config.checks & SIMT_CHECK_RACES))
        return;
    uint32_t pc = 0;
    const code *c = site_code_of(w->worker->device, m->init, &pc);
    simt_finding *f = found_add(w, SIMT_RACE, i, m->init, lane);
    if (!f || !c)
        return;
    simt_place p;
    site_in_shared(w->block->part->kernel, m->offset, &p);
    site_take_place(f, &p);
    f->cause = SIMT_CAUSE_INIT_UNFENCED;
    f->has_other = true;
    site_fill(w, c, pc, m->lane, &f->other);
    f->other.warp = m->warp;
    site_thread(w->block, m->warp * LANES + m->lane, &f->other.thread);
    f->other.write = true;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Is this wait one for other warps, as at a barrier, or for what copies have brought? It is for
   other warps if they have met: this one has arrived, and others have, whatever was copied. Else it
   is if there is not even a word for each lane that waits: a copy of a few bytes makes no ring. */
static void note_meeting(async_state *s, mbarrier *m, uint32_t me)
{
    enum { LEAST = LANES * 4 };
    if (!(m->came & ~me) || m->waited & me)
        return;
    m->waited |= me;
    if (m->came & me || !m->brought)
        s->meetings++;
    else if (m->brought < (uint64_t)LEAST * (unsigned)__builtin_popcount(m->waited))
        s->short_waits++;
}

static void observe(simt_warp *w, mbarrier *m, bool acquire)
{
    note_meeting(w->block->async, m, 1u << w->index);
    async_observe(w, m);
    if (acquire) {
        NOTIFY_WATCHERS(w->worker, mbarrier_wait, w, &m->published);
        if (w->worker->launch->late)
            stale_fence(w, SCOPE_CTA);
    }
}

/* test_wait and try_wait: is the phase complete that the state token, or the parity, names? One
   that is not lets others run. */
void x_mbarrier_wait(simt_warp *w, const insn *i, uint32_t mask)
{
    const mbarrier_form *f = i->extra;
    const mbarrier *seen = NULL; /* most often all lanes wait at one */
    uint32_t offset[LANES], done = 0, by_others = 0;
    async_needs(w, i, (unsigned)__builtin_ctz(mask), f->try_wait,
                f->try_wait ? SIMT_CAUSE_USES_TRY_WAIT : SIMT_CAUSE_USES_MBARRIER);
    if (!mbarrier_offsets(w, i, mask, offset, true))
        return;
    mbarrier_touch(w, i, mask, offset, false, false);
    FOR_LANES (l, mask) {
        mbarrier *m = mbarrier_find(w->block->async, offset[l]);
        uint32_t now = m->phase & 1, asked;
        if (f->parity) {
            asked = word32(w, i->b, l);
            if (asked > 1) {
                bad_mbarrier(w, i, l, m->offset, SIMT_CAUSE_MBARRIER_PARITY, m, asked);
                return;
            }
        } else {
            asked = phase_of(((const uint64_t *)REG(i->b))[l]);
            now = m->phase & 7;
        }
        if (asked == now)
            continue;
        done |= 1u << l;
        by_others |= (uint32_t)(m->ended_by != (int)w->index) << l;
        if (m != seen)
            observe(w, m, !f->relaxed);
        seen = m;
    }
    uint32_t *p = (uint32_t *)REG(i->d);
    *p = (*p & ~mask) | done;
    if (w->worker->counts)
        polls_wait(w, i, mask, done, by_others);
    if (done != mask)
        warp_stop(w, STOP_YIELD);
}

/* For a report on who waits for ever. */
simt_mbarrier_facts async_describe(const simt_block *b, uint32_t offset)
{
    const mbarrier *m = b->async ? mbarrier_find(b->async, offset) : NULL;
    return m ? facts_of(m) : (simt_mbarrier_facts){ 0 };
}
