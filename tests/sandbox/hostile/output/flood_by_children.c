/* The first process sleeps; its children write to the output it gave them. */
#include "../attack.h"
int main(void) { static char b[4096]; for (int i = 0; i < 4; i++) if (fork() == 0) for (;;) write(1, b, sizeof b); for (;;) pause(); }
