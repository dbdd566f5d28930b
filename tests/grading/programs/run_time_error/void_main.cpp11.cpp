#include <cstdio>
#include <cstdlib>
int main() { int a, b; scanf("%d %d", &a, &b); printf("%d\n", a + b); fflush(stdout); std::exit(a + 3); }
