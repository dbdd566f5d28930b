#include <stdio.h>
#ifndef ONLINE_JUDGE
#error ONLINE_JUDGE is not defined
#endif
int main(void) {
    int a, b;
    while (scanf("%d %d", &a, &b) == 2) printf("%d\n", a + b);
    return 0;
}
