int main(void) { volatile int busy = 1; while (busy) busy = 1; return 0; }
