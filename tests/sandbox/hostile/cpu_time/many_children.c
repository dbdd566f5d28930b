/* Four children, none of which alone passes the limit. */
#include "../attack.h"
int main(void)
{
    for (int i = 0; i < 4; i++)
        if (fork() == 0) { burn(0.3); _exit(0); }
    while (wait(NULL) > 0) ;
    return 0;
}
