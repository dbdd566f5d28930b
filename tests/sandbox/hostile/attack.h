/* Shared by the hostile programs: an attack that succeeds says so and exits 1. */
#ifndef ATTACK_H
#define ATTACK_H
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int breaches;
static inline void breach(const char *what) { printf("breach: %s\n", what); breaches++; }

/* The call must fail, because it is not allowed and not because its arguments were wrong. */
#define DENIED(call)                                                                               \
    do {                                                                                           \
        errno = 0;                                                                                 \
        if ((long)(call) != -1) breach(#call);                                                     \
        else if (errno != EPERM && errno != EACCES && errno != ENOSYS) {                           \
            printf("%s: %s\n", #call, strerror(errno)); breaches++; }                              \
    } while (0)
/* The call must fail, however. */
#define FAILS(call) do { if ((long)(call) != -1) breach(#call); } while (0)
#define HOLDS(fact) do { if (!(fact)) breach("not " #fact); } while (0)

static inline void burn(double seconds)
{
    struct timespec from, now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    while ((now.tv_sec - from.tv_sec) + (now.tv_nsec - from.tv_nsec) / 1e9 < seconds);
}
static inline void touch(volatile char *at, size_t size) { for (size_t i = 0; i < size; i += 4096) at[i] = 1; }
#endif
