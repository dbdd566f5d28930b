#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int n, char **v)
{
    int s = 1;
    if (n > 1) return 0;
    if (fork() == 0) { execl(v[0], v[0], "again", (char *)0); _exit(1); }
    wait(&s);
    if (s == 0 && fork() == 0) { execl("/proc/self/exe", v[0], "again", (char *)0); _exit(1); }
    wait(&s);
    puts(s == 0 ? "ok" : "no");
    return s;
}
