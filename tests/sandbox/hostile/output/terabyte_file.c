#include "../attack.h"
int main(void) { int fd = open("big", O_RDWR | O_CREAT, 0600); return ftruncate(fd, 1ll << 40) == 0 ? 0 : 1; }
