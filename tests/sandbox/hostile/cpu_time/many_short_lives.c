/* Each child lives a few milliseconds: no single one is ever seen to use much. */
#include "../attack.h"
int main(void) { for (;;) { if (fork() == 0) { burn(0.003); _exit(0); } wait(NULL); } }
