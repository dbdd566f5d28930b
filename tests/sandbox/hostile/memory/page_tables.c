/* Reading one page in two megabytes takes no page, but a table of pages each time. */
#include "../attack.h"
int main(void)
{
    volatile char *p = mmap(NULL, 1ll << 40, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (size_t i = 0; i < 100000; i++) (void)p[i << 21];
    return 0;
}
