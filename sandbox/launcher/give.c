/* What a run is given: files and folders in its box, and room for what it writes itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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

/* A mount can be neither moved nor removed. */
static void mount_upon_itself(const char *name, size_t length)
{
    char path[1100];
    snprintf(path, sizeof path, "/box/%.*s", (int)length, name);
    if (mount(path, path, NULL, MS_BIND | MS_REC, NULL) < 0)
        fault(name);
}

static bool is_writable(const struct request *r, const char *name, size_t length)
{
    for (uint32_t i = 0; i < r->head.writablec; i++)
        if (strncmp(r->writable[i], name, length) == 0 && r->writable[i][length] == '\0')
            return true;
    return false;
}

/* Closes the given file, or the outermost folder that it was given in and that is not one to write in. */
static void close_given(const struct request *r, const char *name)
{
    const char *end = strchrnul(name, '/');
    while (*end && is_writable(r, name, end - name))
        end = strchrnul(end + 1, '/');
    size_t length = end - name;
    char path[1100];
    struct statvfs about;
    snprintf(path, sizeof path, "/box/%.*s", (int)length, name);
    if (statvfs(path, &about) == 0 && about.f_flag & ST_RDONLY)
        return; /* with an earlier file of the same folder, or from the shelf */
    mount_upon_itself(name, length);
    /* Not below: there may be folders to write in. */
    if (mount(NULL, path, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) < 0)
        fault(name);
}

static uint64_t pages(uint64_t bytes) { return (bytes + 4095) / 4096 * 4096; }

struct room room_for(const struct request *r)
{
    uint64_t given = 0;
    for (uint32_t i = 0; i < r->head.filec; i++) /* nothing for one on the shelf: its size is given as 0 */
        given += pages(r->files[i].size);
    return (struct room){
        .memory_bytes = r->head.memory_bytes,
        .processes = r->head.processes,
        .file_bytes = pages(r->head.file_bytes) + given + 4096,
        .files = EXTRA_INODES + 8 * (r->head.filec + r->head.writablec),
    };
}

/*
 * Copied by this process, which is outside the run's memory group: the figures do not see these pages. The files
 * belong to root in a sticky folder: the program can neither change, rename nor remove them. Those of an ordinary user
 * belong to the program, so they are mounted upon themselves, read-only, which has the same effect.
 */
void put_files(const struct request *r, int box, bool ordinary)
{
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
    if (ordinary) {
        for (uint32_t i = 0; i < r->head.writablec; i++)
            if (strchr(r->writable[i], '/')) /* perhaps in a folder that is closed now */
                mount_upon_itself(r->writable[i], strlen(r->writable[i]));
        for (uint32_t i = 0; i < r->head.filec; i++)
            close_given(r, r->names[i]);
        if (umount2("/shelf", MNT_DETACH) < 0)
            fault("take the shelf away");
    }
    if (r->head.sealed) {
        for (uint32_t i = 0; i < r->head.writablec; i++)
            mount_upon_itself(r->writable[i], strlen(r->writable[i]));
        if (mount(NULL, "/box", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) < 0)
            fault("seal");
    }
}
