/*
 * play.c: see play.h. Numbers come mostly from what earlier replies have told (addresses, handles),
 * so that conversations get far; kinds come from anywhere.
 */
#include "play.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "back.h"
#include "cuda_runtime_api.h"
#include "cudart.h"
#include "serve.h"

enum { DEVICE_BYTES = 1 << 20, HOST_BYTES = 1 << 12, KNOWN = 8 };

static const char code[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                           ".visible .global .align 4 .b8 table[64];\n"
                           ".visible .entry store(.param .u64 p, .param .u32 v)\n{\n"
                           "  .reg .b64 %rd<3>;\n  .reg .b32 %r<4>;\n"
                           "  ld.param.u64 %rd1, [p];\n  ld.param.u32 %r1, [v];\n"
                           "  mov.u32 %r2, %tid.x;\n  mul.wide.u32 %rd2, %r2, 4;\n"
                           "  add.s64 %rd1, %rd1, %rd2;\n  st.global.u32 [%rd1], %r1;\n"
                           "  ret;\n}\n";

typedef struct player {
    const uint8_t *data;
    size_t left;
    cudart_server server;
    uint64_t known[KNOWN]; /* addresses and handles of replies */
    unsigned count;
} player;

static unsigned char *memory;

static void broken(const char *what, const wire_message *m)
{
    fprintf(stderr, "%s: kind %u, error %llu\n", what, m->head.kind,
            (unsigned long long)m->head.a[0]);
    abort();
}

static unsigned byte_of(player *p)
{
    if (p->left == 0)
        return 0;
    p->left--;
    return *p->data++;
}

static uint64_t word_of(player *p)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | byte_of(p);
    return value;
}

static uint64_t number_of(player *p)
{
    static const uint64_t usual[] = { 0,
                                      1,
                                      2,
                                      4,
                                      32,
                                      64,
                                      256,
                                      4096,
                                      1 << 16,
                                      77,
                                      3,
                                      8,
                                      UINT64_MAX,
                                      (uint64_t)1 << 32,
                                      DEVICE_BYTES,
                                      1024 };
    const unsigned how = byte_of(p);

    switch (how & 3) {
    case 0: return usual[how >> 4];
    case 1: return p->known[(how >> 2) % KNOWN];
    case 2: return p->known[(how >> 2) % KNOWN] + (uint64_t)byte_of(p) * (how & 64 ? 4 : 1);
    default: return how & 128 ? word_of(p) : byte_of(p);
    }
}

static uint32_t kind_of(player *p)
{
    const unsigned how = byte_of(p);

    if (p->server.writing && how < 240)
        return WIRE_STAGED;
    if (how >= 250) /* any there is, out of turn too */
        return 1 + byte_of(p) % (WIRE_KINDS - 1);
    const uint32_t kind = WIRE_OPEN + how % (WIRE_KINDS - WIRE_OPEN);
    return kind == WIRE_STAGED || (kind == WIRE_RESET && how > 60) ? WIRE_LAUNCH : kind;
}

/* Rows of a known allocation, where that is what the call is about. */
static void be_sensible(player *p, uint32_t kind, uint64_t *a)
{
    const unsigned how = byte_of(p);
    const uint64_t address = p->known[how % KNOWN], pitch = 64, width = 1 + (how >> 3),
                   height = 1 + (how & 7);

    switch (kind) {
    case WIRE_ALLOC:
        a[0] = 64 * (1 + how % 16);
        a[1] = how % 3;
        break;
    case WIRE_WRITE:
    case WIRE_READ: memcpy(a, (const uint64_t[]){ address, pitch, width, height }, 32); break;
    case WIRE_FILL: memcpy(a, (const uint64_t[]){ address, pitch, 7, width, height }, 40); break;
    case WIRE_COPY:
        memcpy(a,
               (const uint64_t[]){ address, pitch, p->known[(how + 1) % KNOWN], pitch, width, 1 },
               48);
        break;
    case WIRE_FREE:
    case WIRE_TOUCH:
    case WIRE_CHANGED:
    case WIRE_HOLDS: a[0] = address; break;
    case WIRE_KEEP: a[0] = how / 8; break;
    case WIRE_LET_GO: a[0] = how % 16; break;
    case WIRE_ORDER:
        memcpy(a, (const uint64_t[]){ how % CUDART_STEPS, how >> 4, how & 15 }, 24);
        break;
    case WIRE_LAUNCH:
    case WIRE_ATTRIBUTES:
    case WIRE_OCCUPANCY:
    case WIRE_DYNAMIC:
    case WIRE_BEST: a[0] = 0; break;
    default: break;
    }
}

static void choose_message(player *p, wire_message *m)
{
    static const char *const names[] = { "store", "table", "", "nothing" };
    bool exact;
    unsigned how;

    memset(m, 0, sizeof *m);
    m->head.kind = kind_of(p);
    for (int i = 0; i < 6; i++)
        m->head.a[i] = number_of(p);
    if (byte_of(p) & 3)
        be_sensible(p, m->head.kind, m->head.a);
    const size_t most = wire_tail(m->head.kind, &exact);
    if (exact || most == 0) {
        m->head.tail = (uint32_t)most;
        return;
    }
    how = byte_of(p);
    if (m->head.kind == WIRE_LAUNCH) {
        const uint64_t at = how & 1 ? p->known[(how >> 1) % KNOWN] : number_of(p),
                       value = number_of(p);
        memcpy(m->tail, &at, sizeof at);
        memcpy(m->tail + 8, &value, sizeof value);
        m->head.tail = how & 3 ? 16 : how;
        /* mostly a launch that can be made */
        if (how & 12) {
            m->head.a[1] = 1 | (uint64_t)1 << 32;
            m->head.a[2] = 1 | (uint64_t)(1 + (how >> 4)) << 32;
            m->head.a[3] = 1 | (uint64_t)1 << 32;
            m->head.a[4] = m->head.a[5] = 0;
            m->head.a[6] = how & 3;
        }
        return;
    }
    const char *name = names[how & 3];
    m->head.tail = (uint32_t)strlen(name);
    memcpy(m->tail, name, m->head.tail);
    if (how & 128)
        m->head.tail = how * 16u;
}

/* Asks for something that succeeds. */
static void ask(player *p, wire_kind kind, uint64_t a, uint64_t b, const char *name)
{
    wire_message m = { .head = { .kind = kind, .tail = (uint32_t)strlen(name), .a = { a, b } } };

    memcpy(m.tail, name, m.head.tail);
    if (!cudart_serve(&p->server, &m) || m.head.a[0] != cudaSuccess)
        broken("a call that has to succeed", &m);
    p->known[p->count++ % KNOWN] = m.head.a[1];
}

static void begin(player *p)
{
    simt_config config = simt_default_config();

    config.memory = DEVICE_BYTES;
    config.budget = 20000;
    config.host_threads = 1;
    if (!cudart_open(&config)) {
        fprintf(stderr, "no device: %s\n", cudart_detail());
        abort();
    }
    p->server = (cudart_server){ .layout = { DEVICE_BYTES, HOST_BYTES },
                                 .memory = memory,
                                 .ptx = code,
                                 .ptx_bytes = sizeof code - 1 };
    memset(p->known, 0, sizeof p->known);
    ask(p, WIRE_ALLOC, 4096, CUDART_OTHER, "");
    ask(p, WIRE_KERNEL, 0, 0, "store"); /* handle 0 */
    ask(p, WIRE_ALLOC, 1000, CUDART_OTHER, "");
    ask(p, WIRE_ALLOC, 5000, CUDART_MANAGED, "");
    ask(p, WIRE_ALLOC, 256, CUDART_MAPPED, "");
}

/* As a reset by the client does it: what the server holds is freed. */
static void end(player *p)
{
    wire_message m = { .head = { .kind = WIRE_RESET } };
    p->server.writing = false;
    cudart_serve(&p->server, &m);
}

/* Whatever the client says of it: what the host has got, it has waited for. */
static void look_at_counts(const wire_message *asked, const wire_message *m,
                           const cudart_calls *before)
{
    const cudart_calls now = cudart_calls_made();
    const uint64_t *a = asked->head.a, waits = now.waits - before->waits,
                   aside = now.waits_aside - before->waits_aside;

    if (m->head.a[0] != cudaSuccess)
        return;
    if (asked->head.kind == WIRE_READ && now.host_bytes - before->host_bytes != a[2] * a[3])
        broken("a read that is not counted", m);
    if (asked->head.kind == WIRE_READ && aside != 1)
        broken("a read that is no wait", m);
    if (asked->head.kind == WIRE_WAIT && waits + aside != 1)
        broken("a wait that is not counted", m);
    if (asked->head.kind == WIRE_LAUNCH &&
        now.elsewhere - before->elsewhere != ((unsigned)a[6] != 0))
        broken("a launch on another stream that is not counted", m);
}

static void look_at_reply(player *p, const wire_message *asked, const wire_message *m,
                          const cudart_calls *before)
{
    const cudaError_t error = (cudaError_t)m->head.a[0];

    if (m->head.kind != WIRE_REPLY || m->head.tail > WIRE_TAIL)
        broken("no reply", m);
    if (strcmp(cudaGetErrorName(error), "unrecognized error code") == 0)
        broken("an error that there is not", m);
    look_at_counts(asked, m, before);
    if (error == cudaSuccess &&
        (asked->head.kind == WIRE_ALLOC || asked->head.kind == WIRE_KERNEL ||
         asked->head.kind == WIRE_SYMBOL))
        p->known[p->count++ % KNOWN] = m->head.a[1];
}

static unsigned long launches;

unsigned long wire_play_launches(void) { return launches; }

static void observe(void *user, const char *kernel, const simt_launch_args *args,
                    simt_status status, const simt_report *report)
{
    (void)user, (void)kernel, (void)args, (void)report;
    launches += status == SIMT_OK;
}

unsigned wire_play(const uint8_t *data, size_t size)
{
    const wire_layout layout = { DEVICE_BYTES, HOST_BYTES };
    player p = { .data = data, .left = size };
    static wire_message asked, m;
    unsigned messages = 0;

    if (!memory && !(memory = calloc(1, wire_bytes(&layout))))
        abort();
    cudart_observe(observe, NULL);
    begin(&p);
    while (p.left > 0) {
        choose_message(&p, &m);
        asked = m;
        messages++;
        const cudart_calls before = cudart_calls_made();
        if (cudart_serve(&p.server, &m)) {
            look_at_reply(&p, &asked, &m, &before);
        } else {
            /* this client is at its end; the next one */
            end(&p);
            begin(&p);
        }
    }
    end(&p);
    return messages;
}
