#include "../attack.h"
int main(void) { struct timespec t = {0}; DENIED(clock_settime(CLOCK_REALTIME, &t)); DENIED(unshare(0x80)); FAILS(open("/proc/self/timens_offsets", O_WRONLY)); return breaches; }
