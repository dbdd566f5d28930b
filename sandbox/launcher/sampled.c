/*
 * The figures of one run where there are no control groups: its processes are looked at every few milliseconds. What
 * lives and dies between two looks is seen only in what its parent is told. sandbox/README.md says what that cannot hold.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "launcher.h"

enum { TEXT = 8192, PROCESSES = 4096, REST_LEAST_NS = 5 * 1000000, REST_MOST_NS = 50 * 1000000 };

static DIR *proc;
static uint64_t most_memory, most_processes; /* the limits */
static uint64_t cpu, memory, took_ns;        /* the highest seen, and the time of the last look */
static uint64_t program_files;               /* most pages of programs and libraries in one process; not in `memory` */
static int64_t given = -1;                   /* bytes of files that were there before the start */
static bool crowded;                         /* as many processes as may be were seen */

struct memory {
    uint64_t own, shared;
};

/* A /proc in which every process of the box can be seen. */
void sampled_open(const char *path)
{
    proc = opendir(path);
    if (!proc)
        fault("look at processes");
}

void sampled_limit(uint64_t memory_bytes, uint64_t processes)
{
    most_memory = memory_bytes;
    most_processes = processes;
}

static uint64_t nanoseconds(struct timeval t) { return t.tv_sec * 1000000000ull + t.tv_usec * 1000ull; }

static uint64_t ended_cpu(struct rusage *usage)
{
    getrusage(RUSAGE_CHILDREN, usage);
    return nanoseconds(usage->ru_utime) + nanoseconds(usage->ru_stime);
}

static bool read_file(pid_t pid, const char *name, char text[TEXT])
{
    char path[64];
    snprintf(path, sizeof path, "%d/%s", pid, name);
    int fd = openat(dirfd(proc), path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, text, TEXT - 1);
    if (fd >= 0)
        close(fd);
    text[size > 0 ? size : 0] = '\0';
    return size > 0;
}

/* The number in the line that begins with `key`, which begins with a line's end; 0 when there is none. */
static uint64_t number(const char *text, const char *key)
{
    const char *line = strstr(text, key);
    return line ? strtoull(line + strlen(key), NULL, 10) : 0;
}

/* Of the process's threads, alive and ended, and of its children that it has waited for. */
static uint64_t process_cpu(pid_t pid)
{
    char text[TEXT];
    struct timespec own = {0};
    unsigned long long user = 0, system = 0;
    clock_gettime((clockid_t)((~(unsigned)pid << 3) | 2), &own);
    if (read_file(pid, "stat", text)) {
        const char *rest = strrchr(text, ')'); /* the name before may hold anything */
        if (rest)
            sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %llu %llu", &user, &system);
    }
    return own.tv_sec * 1000000000ull + own.tv_nsec + (user + system) * (1000000000ull / sysconf(_SC_CLK_TCK));
}

/* Two processes may share pages, since a fork: then each is charged its part. Slow, so only asked when it matters. */
static struct memory fair_parts(const pid_t *pids, size_t count)
{
    struct memory sum = {0};
    char text[TEXT];
    for (size_t i = 0; i < count; i++)
        if (read_file(pids[i], "smaps_rollup", text)) {
            sum.own += 1024 * (number(text, "\nPss_Anon:") + number(text, "\nSwapPss:"));
            sum.shared += 1024 * number(text, "\nPss_Shmem:");
        }
    return sum;
}

static uint64_t files_bytes(void)
{
    struct statfs files;
    return statfs("/box", &files) == 0 ? (files.f_blocks - files.f_bfree) * files.f_bsize : 0;
}

/* Files and shared memory may be the same pages, mapped: counted as the larger of the two, so never twice. */
static uint64_t together(struct memory m, uint64_t files) { return m.own + (m.shared > files ? m.shared : files); }

static void look(void)
{
    static pid_t pids[PROCESSES];
    char text[TEXT];
    struct rusage ended;
    struct memory sum = {0};
    uint64_t tables = 0, tasks = 0;
    size_t count = 0;
    /* Before the living: what ends in between is missed until the next look, and never counted twice. */
    uint64_t now = ended_cpu(&ended);
    rewinddir(proc);
    for (struct dirent *entry; (entry = readdir(proc));) {
        pid_t pid = atoi(entry->d_name);
        if (pid <= 1)
            continue;
        now += process_cpu(pid);
        if (!read_file(pid, "status", text))
            continue;
        tasks += number(text, "\nThreads:");
        pid_t parent = number(text, "\nPPid:");
        if (parent > 1 && syscall(SYS_kcmp, pid, parent, KCMP_VM, 0, 0) == 0)
            continue; /* between vfork and exec, say */
        sum.own += 1024 * (number(text, "\nRssAnon:") + number(text, "\nVmSwap:"));
        sum.shared += 1024 * number(text, "\nRssShmem:");
        tables += 1024 * number(text, "\nVmPTE:");
        uint64_t mapped = 1024 * number(text, "\nRssFile:");
        if (mapped > program_files)
            program_files = mapped;
        if (count < PROCESSES)
            pids[count++] = pid;
    }
    uint64_t files = files_bytes();
    if (given < 0) { /* the first look, before the start */
        given = files;
        program_files = 0;
        cpu = now;
        return;
    }
    files = files > (uint64_t)given ? files - given : 0;
    if (count > 1 && together(sum, files) + tables > memory)
        sum = fair_parts(pids, count);
    uint64_t total = together(sum, files) + tables;
    if (total > memory)
        memory = total;
    if (now > cpu)
        cpu = now;
    crowded |= tasks >= most_processes;
}

uint64_t sampled_cpu_ns(void)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    look();
    clock_gettime(CLOCK_MONOTONIC, &to);
    took_ns = (to.tv_sec - from.tv_sec) * 1000000000ull + to.tv_nsec - from.tv_nsec;
    return cpu;
}

bool sampled_memory_passed(void) { return memory > most_memory; }

/* Until the next look: so long that looking takes a tenth of the time at most. */
uint64_t sampled_rest_ns(void)
{
    uint64_t rest = 10 * took_ns;
    return rest < REST_LEAST_NS ? REST_LEAST_NS : rest > REST_MOST_NS ? REST_MOST_NS : rest;
}

/* After the end of all processes. */
struct usage sampled_usage(void)
{
    struct rusage ended;
    uint64_t all = ended_cpu(&ended);
    uint64_t files = files_bytes(), largest = 1024ull * ended.ru_maxrss;
    largest = largest > program_files ? largest - program_files : 0;
    uint64_t rest = files > (uint64_t)given ? files - given : 0;
    /* The peak of a process that ended before the next look. */
    if (largest > memory)
        memory = largest;
    if (rest > memory)
        memory = rest;
    return (struct usage){
        .cpu_ns = all > cpu ? all : cpu,
        .memory_bytes = memory < most_memory ? memory : most_memory,
        .oom_kills = memory > most_memory,
        .refused_processes = crowded,
    };
}
