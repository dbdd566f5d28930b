/* The request: taken from the socket, and checked as if it came from a stranger. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launcher.h"

static size_t take_strings(struct request *r, char **at, char **into, uint32_t count, size_t most)
{
    if (count >= most)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        char *end = memchr(*at, '\0', r->bytes + sizeof r->bytes - *at);
        if (!end)
            return 0;
        into[i] = *at;
        *at = end + 1;
    }
    into[count] = NULL;
    return 1;
}

static bool parse(struct request *r, size_t size)
{
    if (size < sizeof r->head)
        return false;
    memcpy(&r->head, r->bytes, sizeof r->head);
    struct request_head *h = &r->head;
    char *at = r->bytes + sizeof *h;
    if (h->filec > FILES || size < sizeof *h + h->filec * sizeof *r->files)
        return false;
    r->files = (struct request_file *)at;
    at += h->filec * sizeof *r->files;
    if (!take_strings(r, &at, r->argv, h->argc, STRINGS) || !take_strings(r, &at, r->env, h->envc, STRINGS) ||
        !take_strings(r, &at, r->names, h->filec, FILES) || !take_strings(r, &at, r->keep, h->keepc, FILES) ||
        !take_strings(r, &at, r->writable, h->writablec, FILES))
        return false;
    size_t least = h->has_stdout ? FD_STDOUT_OR_FIRST_FILE + 1 : FD_STDOUT_OR_FIRST_FILE;
    for (uint32_t i = 0; i < h->filec; i++)
        if (r->files[i].descriptor != SHELVED &&
            (r->files[i].descriptor < least || r->files[i].descriptor >= r->fdc))
            return false;
    return h->argc > 0 && r->fdc >= least && (size_t)(at - r->bytes) == size;
}

/* Blocks until this box is the one that gets a request; several wait on the same socket. */
void receive(int socket, struct request *r, int *reply_to)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
    } control;
    struct iovec part = {r->bytes, sizeof r->bytes};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (size <= 0)
        _exit(0); /* the worker is gone */
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_type == SCM_RIGHTS) {
        r->fdc = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(r->fds, CMSG_DATA(head), r->fdc * sizeof(int));
    }
    if (r->fdc > FD_REPLY)
        *reply_to = r->fds[FD_REPLY];
    errno = EBADMSG;
    if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) || !parse(r, size))
        fault("request");
}
