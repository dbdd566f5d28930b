/* What it asks of the host's disks is answered and not done: not even the descriptor is looked at. */
#include "../attack.h"
int main(void)
{
    HOLDS(fsync(-1) == 0 && fdatasync(-1) == 0 && syncfs(-1) == 0 && sync_file_range(-1, 0, 1, 7) == 0);
    HOLDS(syscall(SYS_fadvise64, -1, 0, 0, POSIX_FADV_DONTNEED) == 0); sync();
    return breaches;
}
