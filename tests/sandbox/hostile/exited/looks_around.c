/* Only what a box shows is there: no host folder, no other process, no other file system. */
#include "../attack.h"
#include <dirent.h>
static void only(const char *folder, const char *allowed)
{
    DIR *d = opendir(folder); struct dirent *e; char name[300];
    if (!d) return;
    while ((e = readdir(d))) { snprintf(name, sizeof name, " %s ", e->d_name); if (e->d_name[0] != '.' && !strstr(allowed, name)) breach(name); }
}
int main(void)
{
    only("/", " bin box dev empty etc files lib lib32 lib64 libx32 proc sbin shelf tmp usr ");
    only("/dev", " fd full null random shm stderr stdin stdout urandom zero ");
    only("/proc", " 2 self thread-self ");
    only("/usr/local", " "); only("/usr/src", " "); only("/files", " "); only("/empty", " "); FAILS(open("/shelf", O_RDONLY | O_DIRECTORY)); FAILS(access("/shelf/1", F_OK));
    const char *absent[] = {"/etc/shadow", "/root", "/home", "/var", "/work", "/sys", "/run", "/old_root", "/etc/ssh", "/proc/1",
        "/proc/1/root", "/proc/1/cwd", "/proc/1/environ", "/proc/1/exe", "/proc/sys", "/proc/kcore", "/proc/kallsyms", "/proc/meminfo",
        "/proc/loadavg", "/proc/stat", "/proc/net/unix", "/sys/fs/cgroup", "/box/../root", "/proc/self/root/root", "/proc/self/cwd/../home",
        "/dev/vda", "/dev/kvm", "/dev/mem", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/fuse", "/dev/net/tun"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) if (access(absent[i], F_OK) == 0) breach(absent[i]);
    char cwd[100]; HOLDS(getcwd(cwd, sizeof cwd) && !strcmp(cwd, "/box"));
    return breaches;
}
