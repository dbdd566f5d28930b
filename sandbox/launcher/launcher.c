/* Reads the settings and becomes the slot. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launcher.h"

pid_t fork_into(uint64_t flags, int group)
{
    struct clone_args args = {.flags = flags, .exit_signal = SIGCHLD};
    if (group >= 0) {
        args.flags |= CLONE_INTO_CGROUP;
        args.cgroup = group;
    }
    return syscall(SYS_clone3, &args, sizeof args);
}

int open_below(int folder, const char *path, uint64_t flags, uint64_t mode)
{
    struct open_how how = {.flags = flags | O_CLOEXEC,
                           .mode = mode,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    return syscall(SYS_openat2, folder, path, &how, sizeof how);
}

int write_all(int fd, const void *data, size_t size)
{
    for (const char *at = data; size > 0;) {
        ssize_t done = write(fd, at, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return -1;
        at += done;
        size -= done;
    }
    return 0;
}

int write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    int result = write_all(fd, text, strlen(text));
    close(fd);
    return result;
}

int mount_closer(const char *path, uint64_t flags)
{
    /* The four flags have the same numbers in the old calls and in this one. */
    struct {
        uint64_t set, clear, propagation, user;
    } change = {.set = flags};
    return syscall(SYS_mount_setattr, AT_FDCWD, path, AT_RECURSIVE, &change, sizeof change);
}

static bool is(const char *word, const char *key, const char **value)
{
    size_t length = strlen(key);
    *value = word + length;
    return strncmp(word, key, length) == 0;
}

/* `launcher socket=3 groups=1 group=4 group=5 group=6 name=1f3a spares=2 user=60001 ordinary=0 root=/some/folder
 * shelf=/another show=/usr mask=/usr/local` */
int main(int argc, char **argv)
{
    static const char *shown[128], *masked[128];
    struct settings s = {.requests = -1, .core = -1, .group = {-1, -1, -1}, .show = shown, .mask = masked};
    size_t groups = 0, shows = 0, masks = 0;
    for (int i = 1; i < argc; i++) {
        const char *value;
        if (is(argv[i], "socket=", &value))
            s.requests = atoi(value);
        else if (is(argv[i], "groups=", &value))
            s.version = atoi(value);
        else if (is(argv[i], "group=", &value) && groups < LENGTH(s.group))
            s.group[groups++] = atoi(value);
        else if (is(argv[i], "ordinary=", &value))
            s.ordinary = atoi(value);
        else if (is(argv[i], "core=", &value))
            s.core = atoi(value);
        else if (is(argv[i], "other=", &value) && (unsigned)atoi(value) < CPU_SETSIZE)
            CPU_SET(atoi(value), &s.others);
        else if (is(argv[i], "name=", &value))
            s.name = value;
        else if (is(argv[i], "spares=", &value))
            s.spares = atoi(value);
        else if (is(argv[i], "user=", &value))
            s.user = atoi(value);
        else if (is(argv[i], "root=", &value))
            s.root = value;
        else if (is(argv[i], "shelf=", &value))
            s.shelf = value;
        else if (is(argv[i], "show=", &value) && shows + 1 < LENGTH(shown))
            shown[shows++] = value;
        else if (is(argv[i], "mask=", &value) && masks + 1 < LENGTH(masked))
            masked[masks++] = value;
        else
            return 2;
    }
    if (s.requests < 0 || (s.version && !groups) || (!s.version && !s.ordinary) || !s.name || !s.root || !s.shelf || !s.user || !s.spares)
        return 2;
    /* The descriptors named above came without close-on-exec. */
    fcntl(s.requests, F_SETFD, FD_CLOEXEC);
    for (size_t i = 0; i < groups; i++)
        fcntl(s.group[i], F_SETFD, FD_CLOEXEC);
    return slot_main(&s);
}
