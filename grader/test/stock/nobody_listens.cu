// expect: PASS |
static void attack(void)
{
    struct sockaddr_in here = { AF_INET, 0, { htonl(INADDR_ANY) }, { 0 } };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&here, sizeof here) == 0 && listen(fd, 1) == 0)
        leaked("listen");
    if (socket(AF_NETLINK, SOCK_RAW, 0) >= 0 || socket(AF_PACKET, SOCK_RAW, 0) >= 0 ||
        socket(40 /* AF_VSOCK */, SOCK_STREAM, 0) >= 0)
        leaked("another family");
}
