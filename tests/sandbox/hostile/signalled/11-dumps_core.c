#include "../attack.h"
int main(void)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    char *p = malloc(30 << 20); touch(p, 30 << 20); *(volatile int *)8 = 1; return 0;
}
