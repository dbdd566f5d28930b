/* Many files of a size allowed for one; says so when there is no room. */
#include "../attack.h"
int main(void)
{
    static char block[1 << 16];
    for (int k = 0; k < 1000; k++) {
        char name[40]; sprintf(name, "f%d", k);
        int fd = open(name, O_WRONLY | O_CREAT, 0600);
        for (int i = 0; i < 16; i++) if (write(fd, block, sizeof block) < 0) return 3;
        close(fd);
    }
    return 0;
}
