/*
 * The system-call filter: a deny list. The namespaces, the control groups and the missing rights already hold a
 * program; the list takes away what is left of the kernel to attack and the ways for two boxes to talk to each other.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fscrypt.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launcher.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the filter knows x86_64 and aarch64 only"
#endif

#ifndef SYS_set_mempolicy_home_node
#define SYS_set_mempolicy_home_node 450
#endif
#ifndef PR_SET_MEMORY_MERGE
#define PR_SET_MEMORY_MERGE 67
#endif

/* Answered with EPERM whatever the arguments. */
static const uint16_t denied[] = {
    /* other processes, other name spaces, other roots */
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_kcmp, SYS_process_madvise,
    SYS_unshare, SYS_setns, SYS_chroot, SYS_pivot_root, SYS_mount, SYS_umount2, SYS_open_tree, SYS_move_mount,
    SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr, SYS_open_by_handle_at, SYS_name_to_handle_at,
    /* keys outlive a run, and so do messages and locks on files that all boxes read */
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semtimedop,
    SYS_semctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
    SYS_inotify_init1, SYS_fanotify_init, SYS_fanotify_mark,
    /* memory that no control group counts, or that nobody else can look into */
    SYS_memfd_secret,
    /* filters of its own: programs in the kernel, and long lists of them */
    SYS_seccomp, SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self,
    /* sockets: only a connected pair (below), so nothing to bind, connect or accept */
    SYS_socket, SYS_bind, SYS_connect, SYS_listen, SYS_accept, SYS_accept4,
    /* wide and often broken parts of the kernel */
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_io_setup, SYS_io_submit, SYS_vmsplice, SYS_migrate_pages, SYS_move_pages, SYS_mbind, SYS_set_mempolicy,
    SYS_set_mempolicy_home_node,
    /* the machine */
    SYS_kexec_load, SYS_kexec_file_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot,
    SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_syslog, SYS_swapon, SYS_swapoff,
    SYS_acct, SYS_quotactl, SYS_quotactl_fd, SYS_sethostname, SYS_setdomainname, SYS_vhangup, SYS_lookup_dcookie,
    /* the core a slot is pinned to */
    SYS_sched_setaffinity, SYS_sched_setattr, SYS_ioprio_set,
#ifdef __x86_64__
    SYS_iopl, SYS_ioperm, SYS_inotify_init, SYS_modify_ldt, SYS_uselib, SYS_create_module, SYS_query_module,
    SYS__sysctl, SYS_nfsservctl,
#endif
};

static const uint32_t namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                                   CLONE_NEWUTS | CLONE_NEWCGROUP;

/* The last call that this list was made for: what newer kernels add is unknown here, and libc does without it. */
enum { LAST_KNOWN = SYS_set_mempolicy_home_node };

/*
 * Answered with success and not done. Locks on files that all boxes read would let two boxes talk; refused, the Java
 * machine complains on standard output and SQLite does not work at all. Nothing in a box has to outlast a loss of power,
 * and the disks are the neighbours' too. Advice on a file would push it out of the memory that all share.
 */
static const uint16_t pretended[] = {SYS_flock,     SYS_sync,            SYS_syncfs,   SYS_fsync,
                                     SYS_fdatasync, SYS_sync_file_range, SYS_fadvise64};
static const uint32_t pretended_locks[] = {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW};
/* Some file systems let whoever reads a file set hints on it. */
static const uint32_t denied_commands[] = {F_SETLEASE, F_NOTIFY, F_GETLK, F_OFD_GETLK, F_SET_RW_HINT,
                                           F_SET_FILE_RW_HINT};
/* A key given to a file system stays there. */
static const uint32_t denied_requests[] = {TIOCSTI, FS_IOC_ADD_ENCRYPTION_KEY};
/* Sharing a core with nobody takes half of it from the neighbour; equal pages of two boxes must not become one. */
static const uint32_t denied_options[] = {PR_SET_SECCOMP, PR_SCHED_CORE, PR_SET_MEMORY_MERGE};
static const uint32_t denied_advice[] = {MADV_MERGEABLE};

/* Calls that act on the process in one of their arguments: not on the keeper of the box, whose number an ordinary user's
 * programs share. */
static const uint16_t not_on_keeper[][2] = {{SYS_kill, 0},           {SYS_tkill, 0},     {SYS_tgkill, 0},
                                            {SYS_rt_sigqueueinfo, 0}, {SYS_pidfd_open, 0}, {SYS_rt_tgsigqueueinfo, 0},
                                            {SYS_prlimit64, 0},       {SYS_setpriority, 1}};

static struct sock_filter program[600];
static unsigned short length;

static void add(uint16_t code, uint32_t value, uint8_t yes, uint8_t no)
{
    program[length++] = (struct sock_filter){.code = code, .jt = yes, .jf = no, .k = value};
}

static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); }
static void answer(uint32_t value) { add(BPF_RET | BPF_K, value, 0, 0); }

static const uint32_t kill_it = SECCOMP_RET_KILL_PROCESS;
static uint32_t fail(int error) { return SECCOMP_RET_ERRNO | error; }

#define NUMBER offsetof(struct seccomp_data, nr)
#define ARGUMENT(n) offsetof(struct seccomp_data, args[n]) /* its lower half: both machines are little-endian */

static void if_equal(uint32_t value, uint32_t then)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(then);
}

/* For call `nr`, the next `count` instructions decide and end with an answer; other calls jump over them. */
static void only_for(uint32_t nr, uint8_t count) { add(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, count); }

/* Call `nr` is answered so when its argument `n` is one of these. */
static void if_among(uint32_t nr, int n, const uint32_t *values, size_t count, uint32_t then)
{
    only_for(nr, 2 + 2 * count);
    load(ARGUMENT(n));
    for (size_t i = 0; i < count; i++)
        if_equal(values[i], then);
    load(NUMBER);
}

/* The same when one of `bits` is set in its argument `n`. */
static void if_any(uint32_t nr, int n, uint32_t bits, uint32_t then)
{
    only_for(nr, 4);
    load(ARGUMENT(n));
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    answer(then);
    load(NUMBER);
}

int filter_load(void)
{
    load(offsetof(struct seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    answer(kill_it); /* int 0x80: numbers of another table */
    load(NUMBER);
#ifdef __x86_64__
    add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* x32 */
    answer(kill_it);
#endif
    add(BPF_JMP | BPF_JGT | BPF_K, LAST_KNOWN, 0, 1);
    answer(fail(ENOSYS));
    if_equal(SYS_clone3, fail(ENOSYS)); /* its flags lie in memory, unseen from here; libc then uses clone */
    if_any(SYS_clone, 0, namespaces, fail(EPERM));

    /* Huge pages are a store of the host's that the memory group does not count. */
    if_any(SYS_mmap, 3, MAP_HUGETLB, fail(EPERM));
    if_any(SYS_memfd_create, 1, MFD_HUGETLB, fail(EPERM));

    /* A stream pair cannot be pointed at anyone else; a datagram pair could write to names in the slot's network. */
    only_for(SYS_socketpair, 8);
    load(ARGUMENT(0));
    add(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0);
    answer(fail(EPERM));
    load(ARGUMENT(1));
    add(BPF_ALU | BPF_AND | BPF_K, 0xf, 0, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 1, 0);
    answer(fail(EPERM));
    answer(SECCOMP_RET_ALLOW);

    if_among(SYS_fcntl, 1, pretended_locks, LENGTH(pretended_locks), fail(0));
    if_among(SYS_fcntl, 1, denied_commands, LENGTH(denied_commands), fail(EPERM));
    if_among(SYS_ioctl, 1, denied_requests, LENGTH(denied_requests), fail(EPERM));
    if_among(SYS_prctl, 0, denied_options, LENGTH(denied_options), fail(EPERM));
    if_among(SYS_madvise, 2, denied_advice, LENGTH(denied_advice), fail(EPERM));

    for (size_t i = 0; i < LENGTH(not_on_keeper); i++)
        if_among(not_on_keeper[i][0], not_on_keeper[i][1], (const uint32_t[]){1}, 1, fail(EPERM));
    if_among(SYS_setpriority, 0, (const uint32_t[]){PRIO_PGRP, PRIO_USER}, 2, fail(EPERM)); /* which would reach it too */

    /* Core dumps: see drop_rights. Asking is allowed: then there is no new value, a null pointer of two halves. */
    only_for(SYS_prlimit64, 8);
    load(ARGUMENT(1));
    add(BPF_JMP | BPF_JEQ | BPF_K, RLIMIT_CORE, 0, 4); /* other limits: allowed */
    load(ARGUMENT(2));
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3); /* denied */
    load(ARGUMENT(2) + 4);
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1); /* denied */
    answer(SECCOMP_RET_ALLOW);
    answer(fail(EPERM));
    if_among(SYS_setrlimit, 0, (const uint32_t[]){RLIMIT_CORE}, 1, fail(EPERM));

    /* The usual policy may be asked for: the run-time systems of Pascal and C# start no thread without it. */
    only_for(SYS_sched_setscheduler, 4);
    load(ARGUMENT(1));
    if_equal(SCHED_NORMAL, SECCOMP_RET_ALLOW);
    answer(fail(EPERM));

    for (size_t i = 0; i < LENGTH(pretended); i++)
        if_equal(pretended[i], fail(0));
    for (size_t i = 0; i < LENGTH(denied); i++)
        if_equal(denied[i], fail(EPERM));
    answer(SECCOMP_RET_ALLOW);

    struct sock_fprog filter = {.len = length, .filter = program};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}
