#include "../attack.h"
static void *spin(void *none) { (void)none; for (;;) __asm__(""); }
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, NULL, spin, NULL); spin(NULL); }
