#include <pthread.h>
#include <stdio.h>
static void *work(void *unused) { return unused; }
int main(void)
{
    pthread_t thread;
    pthread_attr_t asked;
    pthread_attr_init(&asked);
    pthread_attr_setinheritsched(&asked, PTHREAD_EXPLICIT_SCHED);
    if (pthread_create(&thread, &asked, work, NULL) == 0 && pthread_join(thread, NULL) == 0) puts("ok");
    return 0;
}
