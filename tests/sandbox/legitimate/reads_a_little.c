#include <stdio.h>
int main(void) { if (getchar() == 'i') puts("ok"); return 0; }
