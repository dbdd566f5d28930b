/* Three descriptors, three variables, no rights: nothing of the worker's came along. */
#include "../attack.h"
extern char **environ;
int main(void)
{
    for (int fd = 3; fd < 5000; fd++) if (fcntl(fd, F_GETFD) != -1) breach("a descriptor");
    int count = 0; for (char **e = environ; *e; e++) { count++; if (strncmp(*e, "PATH=", 5) && strncmp(*e, "HOME=", 5) && strncmp(*e, "LANG=", 5)) breach(*e); }
    HOLDS(count == 3);
    unsigned user = getuid(); HOLDS(user > 60000 && geteuid() == user && getgid() == user && getegid() == user && getgroups(0, NULL) == 0);
    HOLDS(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
    HOLDS(getpid() == 2 && getppid() == 1);
    char text[4096] = ""; int fd = open("/proc/self/status", O_RDONLY); read(fd, text, sizeof text - 1);
    const char *none[] = {"CapInh:\t0000000000000000", "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "CapAmb:\t0000000000000000", "SigIgn:\t0000000000000000", "SigBlk:\t0000000000000000"};
    for (int i = 0; i < 7; i++) if (!strstr(text, none[i])) breach(none[i]);
    /* Not 0, which would still hand a dump to a handler of the host's. */
    struct rlimit l; getrlimit(RLIMIT_CORE, &l); HOLDS(l.rlim_cur == 1 && l.rlim_max == 1);
    getrlimit(RLIMIT_AS, &l); HOLDS(l.rlim_cur == RLIM_INFINITY);
    return breaches;
}
