#include "../attack.h"
static void *rest(void *none) { (void)none; pause(); return NULL; }
int main(void)
{
    pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setstacksize(&a, 64 << 10);
    for (int i = 0; i < 500; i++) { pthread_t t; if (pthread_create(&t, &a, rest, NULL)) return 1; }
    return 0;
}
