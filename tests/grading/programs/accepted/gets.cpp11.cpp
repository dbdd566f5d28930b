#include <cstdio>
#include <cstdlib>
int main() {
    char line[100];
    while (gets(line)) {
        char *rest;
        long a = strtol(line, &rest, 10);
        printf("%ld\n", a + strtol(rest, 0, 10));
    }
}
