#include <stdio.h>
int main(void) { fwrite("5\0b\n", 1, 4, stdout); return 0; }
