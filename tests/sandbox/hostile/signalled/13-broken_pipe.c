/* Killed by SIGPIPE, as outside; a worker in Python has it ignored, and that must not be passed on. */
#include <unistd.h>
int main(void) { int p[2]; pipe(p); close(p[0]); write(p[1], "x", 1); return 0; }
