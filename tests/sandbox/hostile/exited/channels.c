/* Nothing that two boxes could share: messages, shared memory, keys, locks and watches on files that all of them read. */
#include "../attack.h"
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <mqueue.h>
int main(void)
{
    DENIED(shmget(77, 4096, IPC_CREAT | 0666)); DENIED(semget(77, 1, IPC_CREAT | 0666)); DENIED(msgget(77, IPC_CREAT | 0666));
    DENIED(mq_open("/palfrey", O_CREAT | O_RDWR, 0666, NULL));
    DENIED(syscall(SYS_add_key, "user", "palfrey", "x", 1, -2)); DENIED(syscall(SYS_keyctl, 0, -3, 1)); DENIED(syscall(SYS_request_key, "user", "palfrey", NULL, -2));
    DENIED(inotify_init1(0)); DENIED(syscall(SYS_inotify_init)); DENIED(syscall(SYS_fanotify_init, 0, 0));
    /* A lock seems to be taken; a second description of the same file would find it, if it were. */
    int a = open("/usr/bin/true", O_RDONLY), b = open("/usr/bin/true", O_RDONLY);
    HOLDS(flock(a, LOCK_EX | LOCK_NB) == 0 && flock(b, LOCK_EX | LOCK_NB) == 0);
    DENIED(fcntl(a, F_SETLEASE, F_RDLCK)); DENIED(fcntl(a, F_NOTIFY, 1));
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    DENIED(fcntl(a, F_GETLK, &l)); DENIED(fcntl(a, F_OFD_GETLK, &l));
    l.l_type = F_RDLCK; HOLDS(fcntl(a, F_OFD_SETLK, &l) == 0);
    return breaches;
}
