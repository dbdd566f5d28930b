#include <cstdio>
static long down(long n) { volatile char here[100]; here[0] = n; return n ? down(n - 1) + here[0] * 0 + 1 : 0; }
int main() { if (down(1000000) == 1000000) puts("ok"); }
