#include <cstdio>
int main() { char line[100]; while (gets(line)) puts(line); }
