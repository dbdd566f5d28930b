int main(void) { for (;;) __asm__(""); }
