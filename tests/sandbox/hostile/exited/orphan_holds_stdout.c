/* A child in a session of its own keeps standard output open; the run ends all the same. */
#include "../attack.h"
int main(void) { if (fork() == 0) { setsid(); for (;;) sleep(100); } return 0; }
