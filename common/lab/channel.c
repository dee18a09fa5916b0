/*
 * channel.c: whole messages in, whole messages out. See channel.h.
 */
#include "channel.h"

#include <errno.h>
#include <sys/socket.h>

bool channel_send(int socket, channel_kind kind, uint64_t nonce, channel_head *message, size_t size)
{
    message->kind = kind;
    message->size = (uint32_t)size;
    message->nonce = nonce;
    ssize_t sent;
    do
        sent = send(socket, message, size, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)size;
}

static size_t size_of_kind(uint32_t kind)
{
    switch (kind) {
    case CHANNEL_RUN: return sizeof(channel_run);
    case CHANNEL_DONE: return sizeof(channel_done);
    case CHANNEL_FAULT: return sizeof(channel_fault);
    case CHANNEL_HELLO:
    case CHANNEL_READY:
    case CHANNEL_GO:
    case CHANNEL_UP:
    case CHANNEL_LOST:
    case CHANNEL_FORGED:
    case CHANNEL_RETURNED: return sizeof(channel_mark);
    default: return 0;
    }
}

channel_receipt channel_receive(int socket, channel_message *message, int flags)
{
    ssize_t got;
    do
        got = recv(socket, message, sizeof *message, flags | MSG_TRUNC);
    while (got < 0 && errno == EINTR);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return CHANNEL_NONE;
    if (got <= 0)
        return CHANNEL_END;
    bool whole = (size_t)got >= sizeof message->head &&
                 (size_t)got == size_of_kind(message->head.kind) &&
                 message->head.size == (uint32_t)got;
    return whole ? CHANNEL_GOT : CHANNEL_MALFORMED;
}
