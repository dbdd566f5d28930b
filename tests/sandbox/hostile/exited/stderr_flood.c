#include "../attack.h"
int main(void) { static char b[1 << 16]; memset(b, 'e', sizeof b); for (int i = 0; i < 100; i++) HOLDS(write(2, b, sizeof b) == sizeof b); return breaches; }
