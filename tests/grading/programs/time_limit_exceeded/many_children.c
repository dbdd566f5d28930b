#include <unistd.h>
int main(void) {
    for (int i = 0; i < 8; i++)
        if (fork() == 0) { volatile int busy = 1; while (busy) busy = 1; }
    for (;;) pause();
}
