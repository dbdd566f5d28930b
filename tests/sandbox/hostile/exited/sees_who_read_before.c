/* Reading leaves no time on the input, which a later run may be given as well. */
#include "../attack.h"
int main(void)
{
    struct stat before, after; char c; HOLDS(fstat(0, &before) == 0);
    struct timespec a_while = {0, 30000000}; nanosleep(&a_while, NULL);
    int again = open("/dev/stdin", O_RDONLY); HOLDS(read(again, &c, 1) == 1 && read(0, &c, 1) == 1);
    HOLDS(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, again, 0) != MAP_FAILED);
    HOLDS(fstat(0, &after) == 0 && after.st_atim.tv_sec == before.st_atim.tv_sec && after.st_atim.tv_nsec == before.st_atim.tv_nsec);
    FAILS(futimens(0, NULL)); FAILS(utimensat(AT_FDCWD, "/dev/stdin", NULL, 0));
    return breaches;
}
