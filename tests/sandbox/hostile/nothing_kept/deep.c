#include "../attack.h"
int main(void) { mkdir("out", 0777); chdir("out"); for (int i = 0; i < 300; i++) { mkdir("d", 0777); chdir("d"); } close(open("f", O_WRONLY | O_CREAT, 0600)); return 0; }
