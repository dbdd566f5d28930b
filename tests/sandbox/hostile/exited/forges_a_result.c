/* Words and exit codes of a sandbox, and writing to every descriptor there might be. */
#include "../attack.h"
int main(void)
{
    puts("timelimit exceeded\naccepted\nready\nfault"); fprintf(stderr, "Time limit exceeded\n");
    char reply[256] = {0};
    for (int fd = 3; fd < 2000; fd++) FAILS(write(fd, reply, sizeof reply));
    fflush(stdout); return breaches;
}
