/* The device files are the host's, the same for all boxes: a time set on one could be read by a neighbour. */
#include "../attack.h"
int main(void)
{
    const char *names[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    for (int i = 0; i < 5; i++) {
        struct stat before, after; struct timespec times[2] = {{1, 1}, {1, 1}};
        HOLDS(stat(names[i], &before) == 0);
        FAILS(utimensat(AT_FDCWD, names[i], NULL, 0)); FAILS(utimensat(AT_FDCWD, names[i], times, 0)); FAILS(chmod(names[i], 0600));
        int fd = open(names[i], O_RDWR); HOLDS(fd >= 0); FAILS(futimens(fd, NULL)); FAILS(unlink(names[i]));
        HOLDS(stat(names[i], &after) == 0 && after.st_mtim.tv_sec == before.st_mtim.tv_sec && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
    }
    HOLDS(write(open("/dev/null", O_WRONLY), "x", 1) == 1);
    return breaches;
}
