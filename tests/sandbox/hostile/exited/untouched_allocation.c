#include "../attack.h"
int main(void) { char *p = mmap(NULL, 8ll << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0); HOLDS(p != MAP_FAILED); return breaches; }
