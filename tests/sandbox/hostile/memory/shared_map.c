#include "../attack.h"
int main(void)
{
    size_t n = 256 << 20;
    char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    touch(p, n); return 0;
}
