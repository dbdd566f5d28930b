#include <sys/stat.h>
int main(void) { mkdir("out", 0777); return mkfifo("out/f", 0666) | mkfifo("out/g", 0); }
