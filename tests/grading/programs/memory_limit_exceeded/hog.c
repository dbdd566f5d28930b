#include <stdlib.h>
#include <string.h>
int main(void) { for (;;) { char *room = malloc(1 << 20); if (room) memset(room, 1, 1 << 20); } }
