/* Run twice: the second run must find nothing of the first. */
#include "../attack.h"
#include <dirent.h>
static void empty_then_full(const char *folder)
{
    DIR *d = opendir(folder); struct dirent *e; char name[300];
    while ((e = readdir(d))) if (e->d_name[0] != '.' && strcmp(e->d_name, "program") && strcmp(e->d_name, "given.txt") && strcmp(e->d_name, "folder")) breach(e->d_name);
    snprintf(name, sizeof name, "%s/left", folder);
    int fd = open(name, O_WRONLY | O_CREAT, 0666);
    HOLDS(fd >= 0 && write(fd, "x", 1) == 1);
}
int main(void) { empty_then_full("/box"); empty_then_full("/tmp"); empty_then_full("/dev/shm"); return breaches; }
