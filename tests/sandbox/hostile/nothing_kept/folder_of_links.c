#include "../attack.h"
int main(void) { mkdir("out", 0777); symlink("/etc/passwd", "out/a"); symlink("..", "out/b"); link("/etc/passwd", "out/c"); link("given.txt", "out/d"); return symlink("/proc/self/root", "out/e"); }
