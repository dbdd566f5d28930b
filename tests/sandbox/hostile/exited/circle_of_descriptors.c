/* Sockets in flight through one another, and memory and the output with them: nobody can close them any more. */
#include "../attack.h"
static void send_one(int socket, int fd)
{
    char byte = 0; struct iovec part = {&byte, 1};
    union { struct cmsghdr head; char space[CMSG_SPACE(sizeof(int))]; } control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    control.head = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}; memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    HOLDS(sendmsg(socket, &message, 0) == 1);
}
int main(void)
{
    int s[2], kept = memfd_create("kept", 0); static char block[8 << 20];
    HOLDS(write(kept, block, sizeof block) == sizeof block); HOLDS(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
    send_one(s[0], kept); send_one(s[0], 1); send_one(s[0], s[1]); send_one(s[1], s[0]);
    return breaches;
}
