#include "../attack.h"
int main(void)
{
    for (int i = 0; i < 100000; i++) { char name[20]; sprintf(name, "i%d", i); int fd = open(name, O_WRONLY | O_CREAT, 0600); if (fd < 0) return 1; close(fd); }
    return 0;
}
