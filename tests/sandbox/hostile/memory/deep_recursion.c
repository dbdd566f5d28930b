#include "../attack.h"
static int down(volatile char *above) { char here[4096]; here[0] = *above; return down(here) + here[0]; }
int main(void) { char c = 1; return down(&c); }
