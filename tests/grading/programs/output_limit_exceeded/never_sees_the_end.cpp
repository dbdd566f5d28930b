#include <cstdio>
int main() { int a, b; while (scanf("%d %d", &a, &b)) printf("%d\n", a + b); }
