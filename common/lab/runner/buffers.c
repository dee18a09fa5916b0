/* buffers.c: see buffers.h. */
#include "buffers.h"

#include <string.h>

#include "device.h"

/* Bytes of buffer i in IN and OUT. */
static uint64_t carried(const channel_run *run, uint32_t i)
{
    const uint64_t bytes = run->buffers[i].bytes;
    return run->tail && run->tail < bytes ? run->tail : bytes;
}

/* Of its start, after them in OUT. */
static uint64_t front(const channel_run *run, uint32_t i)
{
    return run->tail && run->buffers[i].bytes / 2 >= run->tail ? run->tail : 0;
}

bool buffers_fit(const channel_run *run, size_t room)
{
    if (run->buffer_count < 1 || run->buffer_count > LAB_MAX_BUFFERS ||
        run->entry[CHANNEL_ENTRY_ROOM - 1] != '\0')
        return false;
    for (uint32_t i = 0; i < run->buffer_count; i++)
        if (run->buffers[i].offset > room ||
            carried(run, i) + front(run, i) > room - run->buffers[i].offset ||
            (run->tail && run->buffers[i].place != LAB_DEVICE))
            return false;
    return true;
}

bool buffers_alias(const channel_run *run, uint32_t i) { return i > 0 && i == run->in_place; }

/* Is the next buffer, an output, in its place? */
static bool is_shared(const channel_run *run, uint32_t i)
{
    return i + 1 < run->buffer_count && buffers_alias(run, i + 1);
}

bool buffers_of_host(const channel_run *run, uint32_t i)
{
    return run->buffers[i].place == LAB_HOST && !buffers_alias(run, i);
}

static bool of_device(const channel_run *run, uint32_t i)
{
    return run->buffers[i].place == LAB_DEVICE && !buffers_alias(run, i);
}

bool buffers_on_device(const channel_run *run)
{
    for (uint32_t i = 0; i < run->buffer_count; i++)
        if (of_device(run, i))
            return true;
    return false;
}

bool buffers_make_device(run_buffers *b, const channel_run *run, uint32_t i, const void *from,
                         channel_done *done)
{
    const channel_buffer *wanted = &run->buffers[i];

    b->device[i] =
        carried(run, i) < wanted->bytes
            ? runner_device_make_tail(from, wanted, carried(run, i), run->front && i == 0,
                                      i == 0 ? run->repeated : 0, done)
            : runner_device_make(from, wanted->bytes, wanted->shift, wanted->unwritten, done);
    done->address[i] = (uint64_t)(uintptr_t)b->device[i];
    if (b->device[i] && wanted->bytes > 0 && !wanted->unwritten && !is_shared(run, i))
        runner_device_seal(b->device[i]);
    return b->device[i] != NULL;
}

void buffers_make_alias(run_buffers *b, uint32_t i, channel_done *done)
{
    b->device[i] = b->device[i - 1];
    done->address[i] = done->address[i - 1];
}

void buffers_take_host(const run_buffers *b, const channel_run *run, unsigned char *out)
{
    for (uint32_t i = 0; i < run->buffer_count; i++) {
        const uint32_t of = buffers_alias(run, i) ? i - 1 : i;
        if (buffers_of_host(run, of))
            memcpy(out + run->buffers[i].offset, b->host[of].data, run->buffers[i].bytes);
    }
}

void buffers_fetch_device(const run_buffers *b, const channel_run *run, unsigned char *out,
                          channel_done *done)
{
    done->copied = 1;
    for (uint32_t i = 0; i < run->buffer_count; i++)
        if (run->buffers[i].place == LAB_DEVICE &&
            (!runner_device_fetch(out + run->buffers[i].offset,
                                  (char *)b->device[i] + run->buffers[i].bytes - carried(run, i),
                                  carried(run, i)) ||
             !runner_device_fetch(out + run->buffers[i].offset + carried(run, i), b->device[i],
                                  front(run, i))))
            done->copied = 0;
    if (buffers_on_device(run))
        runner_device_look(done);
}

void buffers_check_lost(const run_buffers *b, const channel_run *run, channel_done *done)
{
    uint32_t lost = 0, on_device = 0;

    for (uint32_t i = run->buffer_count; i-- > 0;) {
        if (run->buffers[i].place != LAB_DEVICE)
            continue;
        on_device++;
        if (!runner_device_lost(b->device[i]))
            continue;
        lost++;
        done->status = CHANNEL_FREED;
        done->buffer = i;
    }
    done->side = lost > 1 && lost == on_device;
}

void buffers_check_guards(const run_buffers *b, const channel_run *run, channel_done *done)
{
    for (uint32_t i = 0; i < run->buffer_count; i++) {
        size_t distance = 0;
        if (buffers_alias(run, i))
            continue;
        const int side = buffers_of_host(run, i) ? guard_damage(&b->host[i])
                                                 : runner_device_damage(b->device[i], &distance);
        if (side == 0)
            continue;
        done->status = CHANNEL_OVERRUN;
        done->buffer = i;
        done->side = side;
        done->distance = distance;
    }
}

void buffers_drop_device(const run_buffers *b, const channel_run *run)
{
    for (uint32_t i = 0; i < run->buffer_count; i++)
        if (of_device(run, i))
            runner_device_drop(b->device[i], run->buffers[i].shift);
}
