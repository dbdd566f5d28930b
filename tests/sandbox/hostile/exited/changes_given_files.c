/* given.txt and the program itself were put into the box: neither can be changed, moved or replaced. */
#include "../attack.h"
int main(void)
{
    const char *names[] = {"/box/given.txt", "/box/program", "/box/folder/inner.txt"};
    for (int i = 0; i < 3; i++) {
        FAILS(open(names[i], O_WRONLY)); FAILS(open(names[i], O_RDWR)); FAILS(unlink(names[i]));
        FAILS(rename(names[i], "/box/away")); FAILS(chmod(names[i], 0777)); FAILS(truncate(names[i], 0));
        FAILS(link(names[i], "/box/linked"));
        HOLDS(open("/box/mine", O_WRONLY | O_CREAT, 0600) >= 0);
        FAILS(rename("/box/mine", names[i]));
    }
    FAILS(open("/box/folder/new", O_WRONLY | O_CREAT, 0600)); FAILS(rename("/box/folder", "/box/other"));
    FAILS(rename("/box", "/tmp/box")); FAILS(rmdir("/box")); FAILS(chmod("/box", 0700));
    char text[6] = ""; int fd = open(names[0], O_RDONLY);
    HOLDS(read(fd, text, 5) == 5 && !strcmp(text, "given"));
    return breaches;
}
