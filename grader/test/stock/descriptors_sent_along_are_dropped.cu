// expect: PASS,POLICY |
// with a solution, 4 s
/* With each call as many descriptors as a message holds, until the engine has no room for one. */
// @BY_HAND@
static void attack(void)
{
    static char room[CMSG_SPACE(250 * sizeof(int))];
    wire_head head = { WIRE_MEMORY_OF, 0, { 0 } };
    struct iovec part = { &head, sizeof head };
    struct msghdr m;

    if (!ask(WIRE_OPEN, 0, 0, 0, 0))
        return;
    for (int i = 0; i < 500; i++) {
        memset(&m, 0, sizeof m);
        m.msg_iov = &part;
        m.msg_iovlen = 1;
        m.msg_control = room;
        m.msg_controllen = sizeof room;
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(250 * sizeof(int));
        for (int k = 0; k < 250; k++)
            ((int *)CMSG_DATA(c))[k] = k % 3 + 2;
        if (syscall(SYS_sendmsg, WIRE_SOCKET, &m, 0) > 0 && !hear())
            return;
    }
}
