#include "../attack.h"
int main(void) { for (;;) { char *p = malloc(1 << 20); if (p) touch(p, 1 << 20); } }
