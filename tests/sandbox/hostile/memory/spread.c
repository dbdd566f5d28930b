/* Eight processes, each of which alone is well below the limit. */
#include "../attack.h"
int main(void)
{
    for (int i = 0; i < 8; i++) if (fork() == 0) { char *p = malloc(16 << 20); touch(p, 16 << 20); pause(); }
    sleep(2); return 0;
}
