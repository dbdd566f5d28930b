/*
 * Hands back the files that were asked for, after everything else in the box is dead.
 *
 * The tree was shaped by the program: links are never followed, only regular files of the program's own are read,
 * depth, number and bytes are bounded, and a file that claims more than is left is passed over, holes or not.
 * Each file becomes: path length (4 bytes), size (8 bytes), path below /box, content.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "launcher.h"

enum { DEPTH = 16, ENTRIES = 10000, PATH = 1024 };

struct walk {
    unsigned user, entries;
    int result;
    uint64_t left, written;
    char path[PATH];
};

static bool put_file(struct walk *w, int file, uint64_t size)
{
    struct __attribute__((packed)) {
        uint32_t path_bytes;
        uint64_t size;
    } head = {strlen(w->path), size};
    if (write_all(w->result, &head, sizeof head) < 0 || write_all(w->result, w->path, head.path_bytes) < 0)
        return false;
    for (uint64_t done = 0; done < size;) {
        ssize_t part = sendfile(w->result, file, NULL, size - done);
        if (part <= 0)
            return false;
        done += part;
    }
    w->left -= size;
    w->written += sizeof head + head.path_bytes + size;
    return true;
}

/* Where the program has our number, what it was given differs in being mounted read-only. */
static bool given(int item)
{
    struct statvfs about;
    return fstatvfs(item, &about) == 0 && about.f_flag & ST_RDONLY;
}

static bool visit(struct walk *w, int item, unsigned depth);

static bool visit_folder(struct walk *w, int folder, unsigned depth)
{
    DIR *listing = fdopendir(folder);
    if (!listing)
        return false;
    bool going = depth < DEPTH;
    size_t here = strlen(w->path);
    for (struct dirent *entry; going && (entry = readdir(listing));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (here + 1 + strlen(entry->d_name) >= PATH)
            continue;
        sprintf(w->path + here, "/%s", entry->d_name);
        /* O_NONBLOCK: a FIFO must not hold us; it is then passed over, as all that is not a regular file. */
        int item = openat(dirfd(listing), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (item >= 0)
            going = visit(w, item, depth + 1);
        else
            going = ++w->entries < ENTRIES;
        w->path[here] = '\0';
    }
    closedir(listing);
    return going || depth >= DEPTH;
}

/* Takes `item` over. False: stop the whole walk. */
static bool visit(struct walk *w, int item, unsigned depth)
{
    struct stat about;
    if (++w->entries > ENTRIES || fstat(item, &about) < 0) {
        close(item);
        return false;
    }
    if (S_ISDIR(about.st_mode))
        return visit_folder(w, item, depth);
    bool going = true;
    if (S_ISREG(about.st_mode) && about.st_uid == w->user && !given(item) && (uint64_t)about.st_size <= w->left)
        going = put_file(w, item, about.st_size);
    close(item);
    return going;
}

uint64_t keep_files(const struct request *request, int box_folder, unsigned user, int result)
{
    static struct walk w;
    w = (struct walk){.user = user, .result = result, .left = request->head.file_bytes};
    for (uint32_t i = 0; i < request->head.keepc; i++) {
        int item = open_below(box_folder, request->keep[i], O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
        if (item < 0)
            continue;
        snprintf(w.path, sizeof w.path, "%s", request->keep[i]);
        if (!visit(&w, item, 0))
            break;
    }
    return w.written;
}
