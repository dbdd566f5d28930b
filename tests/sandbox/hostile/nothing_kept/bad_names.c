#include "../attack.h"
int main(void) { mkdir("out", 0777); close(open("out/\xff\xfe", O_WRONLY | O_CREAT, 0600)); close(open("out/a\nb", O_WRONLY | O_CREAT, 0600)); close(open("out/\x1b[31m", O_WRONLY | O_CREAT, 0600)); return 0; }
