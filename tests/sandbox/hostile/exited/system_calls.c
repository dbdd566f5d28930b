/* Parts of the kernel that no contest program needs. */
#include "../attack.h"
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/timex.h>
#include <sys/swap.h>
#include <sys/reboot.h>
#include <sys/klog.h>
#include <sys/quota.h>
int main(void)
{
    char space[512] = {0};
    DENIED(syscall(SYS_io_uring_setup, 4, space)); DENIED(syscall(SYS_userfaultfd, 1)); DENIED(syscall(SYS_io_setup, 4, &(unsigned long){0}));
    union bpf_attr attr = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    DENIED(syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof attr));
    struct perf_event_attr perf = {.type = PERF_TYPE_SOFTWARE, .size = sizeof perf, .config = PERF_COUNT_SW_TASK_CLOCK, .exclude_kernel = 1};
    DENIED(syscall(SYS_perf_event_open, &perf, 0, -1, -1, 0));
    DENIED(syscall(SYS_kexec_load, 0, 0, 0, 0)); DENIED(syscall(SYS_init_module, space, 1, "")); DENIED(syscall(SYS_finit_module, 0, "", 0)); DENIED(syscall(SYS_delete_module, "x", 0));
    DENIED(reboot(RB_DISABLE_CAD)); DENIED(settimeofday(&(struct timeval){0}, NULL)); DENIED(clock_settime(CLOCK_REALTIME, &(struct timespec){0}));
    struct timex t = {0}; DENIED(syscall(SYS_adjtimex, &t));
    DENIED(klogctl(3, space, sizeof space)); DENIED(swapon("/box/x", 0)); DENIED(acct("/box/x"));
    DENIED(syscall(SYS_quotactl, 0x80000100, "/dev/null", 0, NULL)); DENIED(sethostname("x", 1));
#ifdef __x86_64__
    DENIED(syscall(SYS_iopl, 3)); DENIED(syscall(SYS_ioperm, 0x60, 1, 1)); DENIED(syscall(SYS_modify_ldt, 0, space, 16));
#endif
    DENIED(syscall(SYS_name_to_handle_at, AT_FDCWD, "/usr", space, space, 0)); DENIED(syscall(SYS_open_by_handle_at, 3, space, 0));
    DENIED(syscall(SYS_move_pages, 0, 0, NULL, NULL, NULL, 0)); DENIED(syscall(SYS_kcmp, getpid(), getpid(), 0, 0, 0));
    return breaches;
}
