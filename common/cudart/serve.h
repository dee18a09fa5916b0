/*
 * serve.h: the engine's end of wire.h: a client's calls on the device, one by one.
 *
 * A message may hold anything. No message makes the engine read or write outside of the client's
 * own memory (the device's allocations, the memfd), or stop. The device is that of cudart.h, in
 * this process.
 */
#ifndef CUDART_SERVE_H
#define CUDART_SERVE_H

#include "simt.h"
#include "wire.h"

typedef struct cudart_window cudart_window;

typedef struct cudart_server {
    wire_layout layout;
    unsigned char *memory; /* all of the memfd */
    const char *ptx;       /* the one module that there is */
    size_t ptx_bytes;
    /* its caller's to set: the entry computes on the host, and no call may use the device */
    bool no_device;
    bool asked_in_vain; /* one of them has, since no_device was set */
    bool asked_blocks;  /* ever: how many blocks can be resident */
    /* the rest is the server's own; 0 at first */
    /* by GPU: of the device that the module is loaded in */
    unsigned generation[SIMT_MAX_GPUS], module[SIMT_MAX_GPUS];
    unsigned gpu; /* that the calls are for */
    bool at_work; /* launched, and no wait was counted since */
    bool writing; /* WRITE came, and STAGED did not */
    uint64_t write[4];
    cudart_window *windows;
} cudart_server;

/* Does what the message asks for and makes it the reply. False: no client of ours would have sent
   it. */
bool cudart_serve(cudart_server *server, wire_message *message);

#endif
