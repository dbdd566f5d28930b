/* Call 11 of the 32-bit table is execve; here it is munmap. */
int main(void) { long r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(20) : "memory"); return 0; }
