/* A program that is root's outside is nobody's in here. */
#include "../attack.h"
int main(int count, char **argv)
{
    (void)argv;
    if (count > 1) return geteuid() == 0;
    struct statvfs v; HOLDS(statvfs("/usr", &v) == 0 && v.f_flag & ST_NOSUID && v.f_flag & ST_RDONLY && v.f_flag & ST_NODEV);
    const char *places[] = {"/box", "/tmp", "/dev/shm", "/proc", "/"};
    for (int i = 0; i < 5; i++) HOLDS(statvfs(places[i], &v) == 0 && v.f_flag & ST_NOSUID);
    const char *tools[] = {"/usr/bin/mount", "/usr/bin/umount", "/usr/bin/passwd", "/usr/bin/chsh"};
    for (int i = 0; i < 4; i++) {
        struct stat s; if (stat(tools[i], &s) < 0) continue;
        int p[2]; pipe(p); pid_t child = fork();
        if (child == 0) { dup2(p[0], 0); close(p[1]); int null = open("/dev/null", O_WRONLY); dup2(null, 1); dup2(null, 2); execl(tools[i], tools[i], "-c", "id", NULL); _exit(9); }
        close(p[0]); close(p[1]); int status; waitpid(child, &status, 0);
    }
    return breaches;
}
