#include <stdio.h>
int main(void) { putchar(0xFF); putchar('\n'); return 0; }
