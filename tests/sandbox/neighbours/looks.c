/* What a program beside it can still have, and what it sees of it; prints its user number. */
#include "../hostile/attack.h"
int main(void)
{
    char text[4096] = ""; read(open("/proc/self/status", O_RDONLY), text, sizeof text - 1);
    HOLDS(strstr(text, "SigQ:\t0/"));
    timer_t timer; HOLDS(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0);
    int p[2], s[2]; HOLDS(pipe(p) == 0 && fcntl(p[0], F_GETPIPE_SZ) == 65536);
    char byte = 0; struct iovec part = {&byte, 1};
    union { struct cmsghdr head; char space[CMSG_SPACE(sizeof(int))]; } control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    control.head = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    HOLDS(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0 && sendmsg(s[0], &message, 0) == 1);
    printf("user %d\n", getuid());
    return breaches;
}
