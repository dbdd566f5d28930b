/* Things of the kernel's that stand for the program: watches, timers, maps, pending signals, open files, links. */
#include "../attack.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>
int main(void)
{
    for (int i = 0; i < 50; i++) if (fork() == 0) {
        sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, NULL);
        for (int k = 0; k < 30000; k++) mmap(NULL, 4096, k % 2 ? PROT_READ : PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (int k = 0; k < 2000; k++) { timer_t t; timer_create(CLOCK_MONOTONIC, NULL, &t); sigqueue(getpid(), SIGRTMIN, (union sigval){0}); }
        int e[400], f[400];
        for (int k = 0; k < 400; k++) { e[k] = epoll_create1(0); f[k] = eventfd(0, 0); }
        for (int k = 0; k < 160000; k++) epoll_ctl(e[k / 400], EPOLL_CTL_ADD, f[k % 400], &(struct epoll_event){.events = EPOLLIN});
        pause();
    }
    sleep(25); return 0;
}
