/* The box's first process can be neither seen, stopped, traced nor read; killing everybody does not reach it. */
#include "../attack.h"
int main(void)
{
    DENIED(ptrace(PTRACE_ATTACH, 1, NULL, NULL)); DENIED(ptrace(PTRACE_SEIZE, 1, NULL, NULL)); DENIED(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    char byte; struct iovec here = {&byte, 1}, there = {(void *)0x400000, 1};
    DENIED(process_vm_readv(1, &here, 1, &there, 1, 0)); DENIED(process_vm_writev(1, &here, 1, &there, 1, 0));
    int one = syscall(SYS_pidfd_open, 1, 0); DENIED(syscall(SYS_pidfd_getfd, one, 0, 0));
    DENIED(kill(1, SIGKILL)); DENIED(kill(1, SIGSTOP)); DENIED(kill(getppid(), SIGTERM));
    if (one >= 0) DENIED(syscall(SYS_pidfd_send_signal, one, SIGKILL, NULL, 0));
    DENIED(setpriority(PRIO_PROCESS, 1, 19)); DENIED(syscall(SYS_prlimit64, 1, RLIMIT_NOFILE, &(struct rlimit){1, 1}, NULL));
    FAILS(open("/proc/1/mem", O_RDWR)); FAILS(open("/proc/1/exe", O_RDONLY)); FAILS(open("/proc/1/fd/0", O_RDONLY)); FAILS(open("/proc/self/exe", O_WRONLY));
    signal(SIGTERM, SIG_IGN); kill(-1, SIGTERM); kill(0, SIGTERM);
    return breaches;
}
