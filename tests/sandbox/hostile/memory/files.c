/* Files in /tmp and /dev/shm are memory. */
#include "../attack.h"
int main(void)
{
    static char block[1 << 20];
    for (int k = 0; k < 32; k++) {
        char name[40]; sprintf(name, k % 2 ? "/tmp/%d" : "/dev/shm/%d", k);
        int fd = open(name, O_WRONLY | O_CREAT, 0600);
        for (int i = 0; i < 8; i++) write(fd, block, sizeof block);
        close(fd);
    }
    return 0;
}
