// expect: PASS |
// with a solution, 4 s
static void attack(void)
{
    struct sockaddr_in there = { AF_INET, htons(PORT), { htonl(INADDR_LOOPBACK) }, { 0 } };
    int tcp = socket(AF_INET, SOCK_STREAM, 0), udp = socket(AF_INET, SOCK_DGRAM, 0);
    if (tcp >= 0 && connect(tcp, (struct sockaddr *)&there, sizeof there) == 0)
        leaked("tcp");
    if (udp >= 0 && sendto(udp, "x", 1, 0, (struct sockaddr *)&there, sizeof there) == 1)
        leaked("udp");
}
