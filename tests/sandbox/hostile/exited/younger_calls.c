/* What kernels of these years added: calls younger than the filter are not there, and options that reach the neighbours are refused. */
#include "../attack.h"
#include <linux/filter.h>
#include <linux/fscrypt.h>
#include <linux/seccomp.h>
int main(void)
{
    /* cachestat (who read a file lately), statmount, listmount, open_tree_attr, and whatever comes next */
    int younger[] = {451, 457, 458, 467, 470, 480, 511};
    for (int i = 0; i < 7; i++) if (syscall(younger[i], -1, 0, 0, 0, 0) != -1 || errno != ENOSYS) { printf("call %d\n", younger[i]); breaches++; }
    DENIED(syscall(SYS_memfd_secret, 0)); DENIED(syscall(SYS_landlock_create_ruleset, NULL, 0, 1));
    struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}; struct sock_fprog one = {1, &allow};
    DENIED(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &one)); DENIED(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &one));
    /* huge pages are taken from a store of the host's that no memory group counts */
    void *page = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
    HOLDS(page == MAP_FAILED && errno == EPERM); DENIED(memfd_create("huge", MFD_HUGETLB));
    /* equal pages of two boxes made one; a core shared with nobody; hints and keys that stay with a file system */
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    DENIED(madvise(page, 4096, MADV_MERGEABLE)); DENIED(prctl(67, 1, 0, 0, 0)); DENIED(prctl(62, 1, 0, 0, 0));
    int fd = open("/usr/bin/true", O_RDONLY); uint64_t hint = 3; DENIED(fcntl(fd, 1036, &hint)); DENIED(fcntl(fd, 1038, &hint));
    struct fscrypt_add_key_arg key = {0}; DENIED(ioctl(fd, FS_IOC_ADD_ENCRYPTION_KEY, &key));
    return breaches;
}
