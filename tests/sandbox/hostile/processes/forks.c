#include "../attack.h"
int main(void) { for (int i = 0; i < 500; i++) { pid_t p = fork(); if (p < 0) { perror("fork"); return 1; } if (p == 0) pause(); } return 0; }
