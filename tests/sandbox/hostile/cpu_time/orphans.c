/* Orphans in sessions of their own burn; the first process only sleeps. */
#include "../attack.h"
int main(void)
{
    for (int i = 0; i < 2; i++)
        if (fork() == 0) { setsid(); if (fork() == 0) for (;;) ; _exit(0); }
    for (;;) sleep(1);
}
