/* Standard input can be opened again by name, and cannot be changed by any of its names. */
#include "../attack.h"
int main(void)
{
    char text[7] = "";
    const char *names[] = {"/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"};
    for (int i = 0; i < 3; i++) {
        int fd = open(names[i], O_RDONLY);
        HOLDS(fd >= 0 && read(fd, text, 6) == 6 && !strcmp(text, "input\n"));
        fd = open(names[i], O_RDWR);
        if (fd >= 0) { FAILS(write(fd, "X", 1)); FAILS(ftruncate(fd, 0)); FAILS(pwrite(fd, "X", 1, 0)); }
        fd = open(names[i], O_WRONLY | O_TRUNC);
        if (fd >= 0) FAILS(write(fd, "X", 1));
        FAILS(truncate(names[i], 0)); FAILS(chmod(names[i], 0777));
    }
    FAILS(write(0, "X", 1)); FAILS(ftruncate(0, 0)); FAILS(fchmod(0, 0777)); FAILS(fallocate(0, 0, 0, 100));
    HOLDS(mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, 0, 0) == MAP_FAILED);
    HOLDS(read(0, text, 6) == 6 && !strcmp(text, "input\n"));
    return breaches;
}
