/*
 * open.c: another device for the program that holds front and back (cudart.h).
 */
#include "back_state.h"

/* The device is replaced, and what the host shared with the old one is gone. */
bool cudart_open(const simt_config *config)
{
    cudart_forget_common();
    cudart_close_device();
    cudart_forget();
    cudart_set_config(config);
    return cudart_device() != NULL;
}
