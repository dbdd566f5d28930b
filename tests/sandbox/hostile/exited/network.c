/* No socket of any family, and a connected pair can be pointed at nobody. */
#include "../attack.h"
int main(void)
{
    for (int family = 0; family < 46; family++) for (int type = 1; type < 6; type++) { int s = socket(family, type, 0); if (s >= 0) { printf("family %d type %d\n", family, type); breach("a socket"); close(s); } }
    int s[2]; struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "\0palfrey"};
    DENIED(socketpair(AF_UNIX, SOCK_DGRAM, 0, s));
    DENIED(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_DGRAM, 0, s));
    HOLDS(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, s) == 0);
    DENIED(bind(s[0], (void *)&a, 10)); DENIED(connect(s[0], (void *)&a, 10)); DENIED(listen(s[0], 1)); DENIED(accept(s[0], NULL, NULL));
    FAILS(sendto(s[0], "x", 1, MSG_NOSIGNAL, (void *)&a, 10));
    return breaches;
}
