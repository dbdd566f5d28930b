/* All the time goes in a handler, every signal is caught or ignored. */
#include "../attack.h"
static void busy(int number) { (void)number; for (;;) __asm__(""); }
int main(void) { for (int i = 1; i < 65; i++) signal(i, SIG_IGN); signal(SIGALRM, busy); raise(SIGALRM); }
