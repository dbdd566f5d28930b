#include <cstdio>
int main() { int a = 0; a++;取队头
    printf("%d\n", a); }
