/* Neither a file nor a handler of the host's may be given a dump, whatever limit the program asks for. */
#include "../attack.h"
int main(void)
{
    rlim_t sizes[] = {0, RLIM_INFINITY};
    for (int i = 0; i < 2; i++) {
        struct rlimit new = {sizes[i], sizes[i]};
        setrlimit(RLIMIT_CORE, &new); syscall(SYS_setrlimit, RLIMIT_CORE, &new); syscall(SYS_prlimit64, 0, RLIMIT_CORE, &new, NULL);
    }
    char *p = malloc(30 << 20); touch(p, 30 << 20); *(volatile int *)8 = 1; return 0;
}
