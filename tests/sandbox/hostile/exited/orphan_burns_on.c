/* A daemon that would burn for ever dies with the first process. */
#include "../attack.h"
int main(void) { if (fork() == 0) { setsid(); if (fork() == 0) for (;;) ; _exit(0); } return 0; }
