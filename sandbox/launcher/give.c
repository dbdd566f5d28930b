/* What a run is given: files and folders in its box, and room for what it writes itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher.h"

enum { EXTRA_INODES = 4096 };

/* Folders of `path` up to its last part; root's, so that nothing in them can be changed. */
static void make_folders(int box, const char *path)
{
    char part[1024];
    for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (mkdirat(box, part, 0755) < 0 && errno != EEXIST)
            fault(part);
    }
}

/* The mount is read-only as the shelf is, and what is mounted upon cannot be moved or removed. */
static void mount_shelved(uint64_t number, const char *name)
{
    char from[64], to[1100];
    snprintf(from, sizeof from, "/shelf/%llu", (unsigned long long)number);
    snprintf(to, sizeof to, "/box/%s", name);
    if (mount(from, to, NULL, MS_BIND, NULL) < 0)
        fault(name);
}

/*
 * Copied by this process, which is outside the run's memory group: the figures do not see these pages. The files
 * belong to root in a sticky folder: the program can neither change, rename nor remove them.
 */
void put_files(const struct request *r, int box)
{
    uint64_t extra = 0;
    for (uint32_t i = 0; i < r->head.filec; i++) /* nothing for one on the shelf: its size is given as 0 */
        extra += (r->files[i].size + 4095) / 4096 * 4096;
    char options[96];
    snprintf(options, sizeof options, "size=%llu,nr_inodes=%u",
             (unsigned long long)((r->head.file_bytes + 4095) / 4096 * 4096 + extra + 4096),
             EXTRA_INODES + 8 * (r->head.filec + r->head.writablec));
    if (mount(NULL, "/box", NULL, MS_REMOUNT | MS_NOSUID | MS_NODEV, options) < 0)
        fault("size of files");
    for (uint32_t i = 0; i < r->head.filec; i++) {
        const struct request_file *f = &r->files[i];
        make_folders(box, r->names[i]);
        int to = open_below(box, r->names[i], O_WRONLY | O_CREAT | O_EXCL, 0555);
        if (to < 0)
            fault(r->names[i]);
        if (f->descriptor == SHELVED)
            mount_shelved(f->offset, r->names[i]);
        off_t from = f->offset;
        for (uint64_t done = 0; done < f->size;) {
            ssize_t part = sendfile(to, r->fds[f->descriptor], &from, f->size - done);
            if (part <= 0)
                fault(r->names[i]);
            done += part;
        }
        close(to);
    }
    for (uint32_t i = 0; i < r->head.writablec; i++) {
        make_folders(box, r->writable[i]);
        if (mkdirat(box, r->writable[i], 0777) < 0 && errno != EEXIST)
            fault(r->writable[i]);
        int folder = open_below(box, r->writable[i], O_RDONLY | O_DIRECTORY, 0);
        if (folder < 0 || fchmod(folder, 01777) < 0)
            fault(r->writable[i]);
        close(folder);
    }
}
