/* pid 2: gives up every right, waits for its request, becomes the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launcher.h"

/* Every failure up to the exec goes to the box as an errno; the channel closes by itself when the exec succeeds. */
static _Noreturn void fail(int channel, int error)
{
    send(channel, &error, sizeof error, MSG_NOSIGNAL);
    _exit(0);
}

static int limit(int resource, uint64_t value)
{
    struct rlimit now;
    if (getrlimit(resource, &now) < 0)
        return -1;
    rlim_t most = value < now.rlim_max ? value : now.rlim_max; /* raising is not ours to do everywhere */
    return setrlimit(resource, &(struct rlimit){most, most});
}

/* For memory of the whole host, the program goes first: here, as its own file is the only one that an ordinary user has. */
static int offer_to_oom_killer(void)
{
    if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0 || write_text("/proc/self/oom_score_adj", "1000") < 0)
        return -1;
    return 0;
}

/* The kernel counts processes by user and user namespace: in one of its own, all that are counted are the program's. */
static int be_counted_alone(unsigned user)
{
    char map[64];
    snprintf(map, sizeof map, "%u %u 1", user, user);
    if (unshare(CLONE_NEWUSER) < 0 || write_text("/proc/self/uid_map", map) < 0)
        return -1;
    for (int right = 0; prctl(PR_CAPBSET_READ, right, 0, 0, 0) >= 0; right++)
        if (prctl(PR_CAPBSET_DROP, right, 0, 0, 0) < 0)
            return -1;
    return write_text("/proc/self/gid_map", map);
}

static int drop_rights(unsigned user, const struct settings *s)
{
    if (offer_to_oom_killer() < 0 || (s->version == 0 && be_counted_alone(user) < 0))
        return -1;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    /* Not 0: the kernel still hands a dump of that size to a program of the host's, if the host has named one. With 1 it
     * makes none at all. The filter keeps it so. */
    if (setrlimit(RLIMIT_CORE, &(struct rlimit){1, 1}) < 0)
        return -1;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0)
        return -1;
    if (!s->ordinary && setgroups(0, NULL) < 0)
        return -1;
    /* Rights in a user namespace go with the exec, as the number is not 0 there. */
    if (setresgid(user, user, user) < 0 || setresuid(user, user, user) < 0)
        return -1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return -1;
    return filter_load();
}

/* Descriptors for standard input and, if the worker has one, standard output. */
static int take_over(int channel, int *in, int *out)
{
    char byte;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) != 1)
        return -1;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (!head || head->cmsg_type != SCM_RIGHTS)
        return -1;
    int fds[2] = {-1, -1};
    memcpy(fds, CMSG_DATA(head), head->cmsg_len - CMSG_LEN(0));
    *in = fds[0];
    if (fds[1] >= 0)
        *out = fds[1];
    return 0;
}

_Noreturn void program_main(const struct box *box, const struct request *request, int channel, int out, int err)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    umask(022);
    setsid();
    if (dup2(out, 1) < 0 || dup2(err, 2) < 0 || syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC) < 0)
        fail(channel, errno);
    if (limit(RLIMIT_NOFILE, 1024) < 0 || limit(RLIMIT_RTPRIO, 0) < 0 || limit(RLIMIT_NICE, 0) < 0 ||
        limit(RLIMIT_MSGQUEUE, 0) < 0 || limit(RLIMIT_MEMLOCK, 64 << 10) < 0)
        fail(channel, errno);
    if (chdir("/box") < 0 || drop_rights(box->user, box->settings) < 0)
        fail(channel, errno);
    if (send(channel, "", 1, MSG_NOSIGNAL) != 1)
        _exit(0);

    int in = -1, own_out = -1;
    if (take_over(channel, &in, &own_out) < 0)
        _exit(0);
    if (dup2(in, 0) < 0 || (own_out >= 0 && dup2(own_out, 1) < 0))
        fail(channel, errno);

    /* No RLIMIT_AS (it kills Java, Go and Node) and no RLIMIT_DATA (stacks of threads count): control groups hold memory. */
    const struct request_head *quota = &request->head;
    bool counted = box->settings->version != 0;
    /* A bit more where memory is only looked at, so that a stack without end is seen to pass the memory limit. */
    uint64_t stack = quota->memory_bytes + (counted ? 0 : 16 << 20);
    if (limit(RLIMIT_STACK, stack) < 0 || limit(RLIMIT_FSIZE, quota->file_bytes) < 0)
        fail(channel, errno);
    if (!counted && limit(RLIMIT_NPROC, quota->processes) < 0)
        fail(channel, errno);
    execve(request->argv[0], request->argv, request->env);
    fail(channel, errno);
}
