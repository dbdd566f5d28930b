/* The child is killed, the first process exits 0 and has even printed an answer. */
#include "../attack.h"
int main(void)
{
    if (fork() == 0) for (;;) { char *p = malloc(1 << 20); if (p) touch(p, 1 << 20); }
    wait(NULL); puts("42"); return 0;
}
