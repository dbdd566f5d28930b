#include "../attack.h"
int main(void)
{
    struct rlimit now; int kinds[] = {RLIMIT_CORE, RLIMIT_STACK, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_RTPRIO, RLIMIT_MEMLOCK};
    for (int i = 0; i < 6; i++) { getrlimit(kinds[i], &now); HOLDS(now.rlim_max != RLIM_INFINITY); DENIED(setrlimit(kinds[i], &(struct rlimit){now.rlim_max + 1, now.rlim_max + 1})); }
    struct rlimit lower = {0, 0}; DENIED(setrlimit(RLIMIT_CORE, &lower)); DENIED(syscall(SYS_setrlimit, RLIMIT_CORE, &lower));
    DENIED(setpriority(PRIO_PROCESS, 0, -20)); DENIED(sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){50}));
    cpu_set_t all; memset(&all, 0xff, sizeof all); DENIED(sched_setaffinity(0, sizeof all, &all));
    DENIED(setuid(0)); DENIED(setgid(0)); DENIED(setresuid(0, 0, 0)); DENIED(syscall(SYS_setgroups, 1, &(gid_t){0}));
    FAILS(open("/proc/self/oom_score_adj", O_WRONLY)); FAILS(open("/sys/fs/cgroup/memory/cgroup.procs", O_WRONLY));
    FAILS(mlock(malloc(1 << 20), 1 << 20));
    return breaches;
}
