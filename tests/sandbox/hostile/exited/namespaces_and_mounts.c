#include "../attack.h"
#include <linux/sched.h>
int main(void)
{
    int kinds[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80};
    for (int i = 0; i < 8; i++) { DENIED(unshare(kinds[i])); if (i < 7) { long p = syscall(SYS_clone, kinds[i] | SIGCHLD, 0, 0, 0, 0); if (p == 0) _exit(0); if (p != -1 || errno != EPERM) breach("clone"); } }
    struct clone_args args = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
    long p = syscall(SYS_clone3, &args, sizeof args); if (p == 0) _exit(0); if (p != -1 || errno != ENOSYS) breach("clone3");
    DENIED(mount("none", "/tmp", "tmpfs", 0, NULL)); DENIED(mount("/usr", "/box", NULL, MS_BIND, NULL)); DENIED(mount(NULL, "/usr", NULL, MS_REMOUNT | MS_BIND, NULL));
    DENIED(umount2("/proc", MNT_DETACH)); DENIED(chroot("/box")); DENIED(syscall(SYS_pivot_root, "/box", "/box"));
    DENIED(syscall(SYS_open_tree, AT_FDCWD, "/usr", 1)); DENIED(syscall(SYS_fsopen, "tmpfs", 0)); DENIED(syscall(SYS_mount_setattr, AT_FDCWD, "/usr", 0, NULL, 0));
    DENIED(mount("cgroup", "/tmp", "cgroup", 0, "memory")); DENIED(mount("none", "/tmp", "cgroup2", 0, NULL)); DENIED(mount("proc", "/tmp", "proc", 0, NULL));
    int fd = open("/proc/self/ns/user", O_RDONLY); DENIED(syscall(SYS_setns, fd, 0));
    FAILS(open("/proc/self/uid_map", O_WRONLY)); FAILS(open("/usr/x", O_WRONLY | O_CREAT, 0600)); FAILS(open("/x", O_WRONLY | O_CREAT, 0600)); FAILS(open("/etc/x", O_WRONLY | O_CREAT, 0600)); FAILS(open("/dev/x", O_WRONLY | O_CREAT, 0600));
    FAILS(mkdir("/usr/local/x", 0700)); FAILS(mkdir("/empty/x", 0700));
    DENIED(mknod("/box/disk", S_IFBLK | 0666, 254 << 8)); DENIED(mknod("/box/mem", S_IFCHR | 0666, 1 << 8 | 1));
    return breaches;
}
