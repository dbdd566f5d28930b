/* Control groups of one run, v1, v2 and none (sampled.c) behind the same few functions. Everything goes by open descriptors. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher.h"

enum { MEMORY, PIDS, CPU };

static int make_folder(int parent, const char *name)
{
    if (mkdirat(parent, name, 0755) < 0 && errno != EEXIST) /* v1 may have two controllers in one hierarchy */
        return -1;
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int open_file(int folder, const char *name, int flags)
{
    return openat(folder, name, flags | O_CLOEXEC);
}

int groups_make(const struct settings *s, unsigned number, struct groups *g)
{
    char name[16];
    snprintf(name, sizeof name, "%u", number);
    memset(g, -1, sizeof *g);
    if (s->version == 0)
        return 0;
    if (s->version == 2) {
        int folder = g->directory = make_folder(s->group[MEMORY], name);
        if (folder < 0)
            return -1;
        g->memory_max = open_file(folder, "memory.max", O_WRONLY);
        g->swap_max = open_file(folder, "memory.swap.max", O_WRONLY);
        g->memory_peak = open_file(folder, "memory.peak", O_RDONLY);
        g->memory_events = open_file(folder, "memory.events", O_RDONLY);
        g->pids_max = open_file(folder, "pids.max", O_WRONLY);
        g->pids_events = open_file(folder, "pids.events", O_RDONLY);
        g->cpu_usage = open_file(folder, "cpu.stat", O_RDONLY);
    } else {
        int folder[3] = {-1, -1, -1};
        for (int i = MEMORY; i <= CPU; i++) {
            folder[i] = make_folder(s->group[i], name);
            if (folder[i] < 0)
                return -1;
            g->procs[i] = open_file(folder[i], "cgroup.procs", O_WRONLY);
        }
        g->memory_max = open_file(folder[MEMORY], "memory.limit_in_bytes", O_WRONLY);
        g->swap_max = open_file(folder[MEMORY], "memory.memsw.limit_in_bytes", O_WRONLY);
        g->memory_peak = open_file(folder[MEMORY], "memory.max_usage_in_bytes", O_RDWR);
        g->memory_events = open_file(folder[MEMORY], "memory.oom_control", O_RDONLY);
        g->pids_max = open_file(folder[PIDS], "pids.max", O_WRONLY);
        g->pids_events = open_file(folder[PIDS], "pids.events", O_RDONLY);
        g->cpu_usage = open_file(folder[CPU], "cpuacct.usage", O_RDONLY);
        for (int i = MEMORY; i <= CPU; i++)
            close(folder[i]);
    }
    /* Only the swap limit may be missing: then the kernel has no swap accounting, and the doctor says so. */
    bool all = g->memory_max >= 0 && g->memory_peak >= 0 && g->memory_events >= 0 && g->pids_max >= 0 &&
               g->pids_events >= 0 && g->cpu_usage >= 0;
    return all ? 0 : -1;
}

/* v1 only. Costs 13 ms when the host was idle (a grace period of the kernel), so it is done ahead of the request. */
int groups_join(const struct groups *g, pid_t pid)
{
    char text[16];
    int size = snprintf(text, sizeof text, "%d", pid);
    for (size_t i = 0; i < LENGTH(g->procs); i++)
        if (g->procs[i] >= 0 && write(g->procs[i], text, size) != size)
            return -1;
    return 0;
}

static int write_number(int fd, uint64_t value)
{
    char text[24];
    int size = snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return pwrite(fd, text, size, 0) == size ? 0 : -1;
}

static bool counted(const struct groups *g) { return g->cpu_usage >= 0; }

int groups_limit(const struct groups *g, uint64_t memory_bytes, uint64_t processes)
{
    bool v2 = g->directory >= 0;
    if (!counted(g)) {
        sampled_limit(memory_bytes, processes);
        return 0;
    }
    /* v1 limits memory and swap together, v2 swap alone. With v1 the one must never be below the other. */
    uint64_t swap = v2 ? 0 : memory_bytes;
    bool raised = g->swap_max >= 0 && write_number(g->swap_max, swap) == 0;
    if (write_number(g->memory_max, memory_bytes) < 0 || write_number(g->pids_max, processes) < 0)
        return -1;
    if (g->swap_max >= 0 && !raised && write_number(g->swap_max, swap) < 0)
        return -1;
    if (!v2)
        return write_number(g->memory_peak, 0); /* forget what preparing took */
    return 0;
}

/* The number after `key` in a file of "key number" lines; with key "" the number the file begins with. */
static uint64_t read_number(int fd, const char *key)
{
    char text[2048];
    ssize_t size = pread(fd, text, sizeof text - 1, 0);
    if (size <= 0)
        return 0;
    text[size] = '\0';
    size_t length = strlen(key);
    for (char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (length == 0 || (strncmp(line, key, length) == 0 && line[length] == ' '))
            return strtoull(line + length, NULL, 10);
    }
    return 0;
}

uint64_t groups_cpu_ns(const struct groups *g)
{
    if (!counted(g))
        return sampled_cpu_ns();
    return g->directory >= 0 ? 1000 * read_number(g->cpu_usage, "usage_usec") : read_number(g->cpu_usage, "");
}

/* A control group ends processes itself. */
bool groups_memory_passed(const struct groups *g) { return !counted(g) && sampled_memory_passed(); }

struct usage groups_usage(const struct groups *g)
{
    if (!counted(g))
        return sampled_usage();
    return (struct usage){
        .cpu_ns = groups_cpu_ns(g),
        .memory_bytes = read_number(g->memory_peak, ""),
        .oom_kills = read_number(g->memory_events, "oom_kill"),
        .refused_processes = read_number(g->pids_events, "max"),
    };
}

void groups_close(struct groups *g)
{
    int all[] = {g->directory, g->procs[0], g->procs[1], g->procs[2], g->memory_max, g->swap_max,
                 g->memory_peak, g->memory_events, g->pids_max, g->pids_events, g->cpu_usage};
    for (size_t i = 0; i < LENGTH(all); i++)
        if (all[i] >= 0)
            close(all[i]);
}

/* Gives the number of folders that are still there, because something in them has not quite ended. */
int groups_remove(const struct settings *s, unsigned number)
{
    char name[16];
    snprintf(name, sizeof name, "%u", number);
    int left = 0;
    for (size_t i = 0; i < LENGTH(s->group); i++)
        if (s->group[i] >= 0 && unlinkat(s->group[i], name, AT_REMOVEDIR) < 0 && errno != ENOENT)
            left++;
    return left;
}

/* The slot's own folders, by their parents: paths of the host are out of reach by now. */
void groups_remove_slot(const struct settings *s)
{
    for (size_t i = 0; i < LENGTH(s->group); i++) {
        int parent = s->group[i] < 0 ? -1 : openat(s->group[i], "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (parent >= 0)
            unlinkat(parent, s->name, AT_REMOVEDIR);
    }
}
