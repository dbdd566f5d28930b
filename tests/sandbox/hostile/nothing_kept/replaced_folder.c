/* The folder that was asked for becomes a link after the program has moved it away. */
#include "../attack.h"
int main(void) { mkdir("out", 0777); rename("out", "moved"); return symlink("/usr/bin", "out"); }
