/*
 * The worker's side of a run, as a library that client.py loads: the dozen system calls of a start and of an end in one
 * go each. From Python they cost more than the rest of a box together, because all that code is cold when a run begins.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launcher.h"

/*
 * Sends a request on `requests` with the descriptors that it needs: an end of a new pipe for the answer, `stop`,
 * `result`, `input` and `more`. With `afresh` the box gets a read-only description of the same input of its own.
 * Gives the other end of the pipe, or an errno below zero.
 */
int begin(int requests, const char *message, size_t size, int stop, int result, int input, int afresh, const int *more,
          size_t count)
{
    int answers[2];
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
    } control;
    struct iovec part = {(void *)message, size};
    struct msghdr parcel = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control};
    if (count > DESCRIPTORS - FD_STDOUT_OR_FIRST_FILE)
        return -E2BIG;
    if (pipe2(answers, O_CLOEXEC) < 0)
        return -errno;
    int opened = -1, error = 0;
    if (afresh) {
        char path[32];
        snprintf(path, sizeof path, "/proc/self/fd/%d", input);
        input = opened = open(path, O_RDONLY | O_CLOEXEC);
    }
    int fds[DESCRIPTORS] = {[FD_REPLY] = answers[1], [FD_STOP] = stop, [FD_RESULT] = result, [FD_STDIN] = input};
    memcpy(fds + FD_STDOUT_OR_FIRST_FILE, more, count * sizeof *more);
    count += FD_STDOUT_OR_FIRST_FILE;
    parcel.msg_controllen = CMSG_SPACE(count * sizeof *fds);
    control.head = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(count * sizeof *fds), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), fds, count * sizeof *fds);
    ssize_t sent;
    do
        sent = sendmsg(requests, &parcel, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent < 0)
        error = errno;
    close(answers[1]);
    if (opened >= 0)
        close(opened);
    if (error) {
        close(answers[0]);
        return -error;
    }
    return answers[0];
}

/*
 * Waits for the answer at most so many milliseconds, and reads it. Gives its size, 0 when the box ended without one, or
 * an errno below zero: ETIMEDOUT, or EINTR, after which the caller may look at its signals and ask again.
 */
ssize_t answer(int answers, int milliseconds, char *into, size_t most)
{
    struct pollfd one = {.fd = answers, .events = POLLIN};
    int ready = poll(&one, 1, milliseconds);
    if (ready == 0)
        return -ETIMEDOUT;
    ssize_t size = ready < 0 ? -1 : read(answers, into, most);
    return size < 0 ? -errno : size;
}
