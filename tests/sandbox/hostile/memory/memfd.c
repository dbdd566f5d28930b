#include "../attack.h"
int main(void)
{
    static char block[1 << 20];
    for (int k = 0; k < 64; k++) { int fd = memfd_create("m", 0); for (int i = 0; i < 16; i++) write(fd, block, sizeof block); }
    return 0;
}
