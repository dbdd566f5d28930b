/*
 * The launcher: the only C of the project, one small static program.
 *
 * Three kinds of process, each forked from the one before:
 *
 *   slot     (slot.c)     one a worker, as root or as an ordinary user in a user namespace; owns the minimal root and the
 *                         empty network namespace, keeps a few boxes ready and gives their control groups back.
 *   box      (box.c)      pid 1 of fresh pid, mount and ipc namespaces; takes one request, watches it, answers, exits.
 *                         Stands outside the run's control groups, so it is never in the figures nor killed for memory.
 *   program  (program.c)  pid 2, in fresh control groups, all rights dropped and the filter loaded before the request
 *                         comes; becomes what was asked for.
 *
 * request.c takes requests, give.c puts files in, keep.c hands files back, groups.c hides control groups v1 and v2,
 * sampled.c stands in for them on a laptop, filter.c is the system-call filter.
 */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ---- said between the worker and a box; sandbox/wire.py writes and reads the same layout ---- */

enum { REQUEST_BYTES = 160 * 1024, STRINGS = 6 * 1024, FILES = 1024, DESCRIPTORS = 250 };

struct request_head {
    uint64_t cpu_ns, wall_ns, memory_bytes, output_bytes, stderr_bytes, processes, file_bytes;
    uint32_t has_stdout; /* the program writes to a descriptor of the worker's; nothing is kept of it */
    uint32_t sealed;     /* nothing can be made, changed or removed in /box, but in the writable folders */
    uint32_t argc, envc, filec, keepc, writablec, unused;
};
/* A descriptor that says: the file lies on the shelf, `offset` is its number. */
#define SHELVED UINT32_MAX
/* Then filec of these, then NUL-ended strings: argv, env, names of files, keep, writable. */
struct request_file {
    uint64_t offset, size;
    uint32_t descriptor, unused;
};
/* Descriptors that come along, in this order; files name theirs by position. */
enum {
    FD_REPLY, /* pipe for the one answer; its other end closed: the worker is gone */
    FD_STOP,  /* readable: end the run now */
    FD_RESULT,
    FD_STDIN,
    FD_STDOUT_OR_FIRST_FILE
};

enum cause { CAUSE_NONE, CAUSE_CPU, CAUSE_WALL, CAUSE_OUTPUT, CAUSE_KILLED };

struct reply {
    uint32_t fault;      /* errno of a failure of ours; `where` says at what */
    uint32_t exec_errno; /* the program could not be executed */
    uint32_t cause;      /* why the box was ended, if it was */
    int32_t status;      /* of the first process, as wait(2) gives it */
    uint64_t cpu_ns, wall_ns, memory_bytes;
    uint64_t stdout_bytes, stderr_bytes, kept_bytes; /* the three parts of the result file, in this order */
    uint32_t oom_kills, refused_processes, files_full, unused;
    char where[96];
};

/* ---- within the launcher ---- */

struct request {
    struct request_head head;
    struct request_file *files;
    char *argv[STRINGS], *env[STRINGS], *names[FILES], *keep[FILES], *writable[FILES];
    int fds[DESCRIPTORS];
    size_t fdc;
    char bytes[REQUEST_BYTES];
};

/* Open files of one run's control groups. */
struct groups {
    int directory; /* v2: where the program is born into; v1: -1 */
    int procs[3];  /* v1: where the program is put by its number; v2: -1 */
    int memory_max, swap_max, memory_peak, memory_events, pids_max, pids_events, cpu_usage;
};

struct usage {
    uint64_t cpu_ns, memory_bytes;
    uint32_t oom_kills, refused_processes;
};

/* What a run may take of memory, processes and files: two writes and a mount that cost time on its path. The next run is
 * mostly of the same kind, so each box is prepared with the room of the last one. */
struct room {
    uint64_t memory_bytes, processes, file_bytes, files;
};

struct settings {
    int requests; /* SEQPACKET socket on which the worker's requests come */
    int version;  /* of control groups: 1 or 2; 0: there are none */
    int group[3]; /* this slot's folder in each hierarchy: memory, pids, cpuacct (v2: only the first) */
    bool ordinary; /* not root: slot, boxes and programs have one number, and their rights make the difference */
    unsigned spares;
    unsigned user; /* the first of the user and group numbers of programs */
    int core;      /* that every program runs on, -1: any */
    cpu_set_t others; /* with `core`: where boxes are made and taken apart */
    const char *name; /* of those folders */
    const char *root;
    const char *shelf; /* folder of big files, mounted into the boxes that are given them */
    const char **show, **mask; /* paths shown read-only inside, paths hidden below them; NULL-ended */
    struct room *last; /* of the last run; shared by the slot and its boxes. A hint, so it may be torn. */
};

/* What a box tells its slot; smaller than PIPE_BUF, so never torn. */
struct note {
    uint32_t box;
    enum { NOTE_READY, NOTE_TAKEN, NOTE_FAULT } kind;
    char text[160];
};

/* groups.c */
int groups_make(const struct settings *s, unsigned number, struct groups *g);
int groups_join(const struct groups *g, pid_t pid);
int groups_limit(const struct groups *g, uint64_t memory_bytes, uint64_t processes);
uint64_t groups_cpu_ns(const struct groups *g);
bool groups_memory_passed(const struct groups *g);
struct usage groups_usage(const struct groups *g);
void groups_close(struct groups *g);
int groups_remove(const struct settings *s, unsigned number);
void groups_remove_slot(const struct settings *s);

/* sampled.c */
void sampled_open(const char *proc);
void sampled_limit(uint64_t memory_bytes, uint64_t processes);
uint64_t sampled_cpu_ns(void);
bool sampled_memory_passed(void);
struct usage sampled_usage(void);
uint64_t sampled_rest_ns(void);

/* box.c: never returns. */
struct box {
    const struct settings *settings;
    struct groups groups;
    unsigned number;
    /* Of its own: the kernel counts pending signals, buffers of pipes and descriptors in flight by user, and what one
     * program takes of these it would take from its neighbours, who would also see it. */
    unsigned user;
    struct room room; /* that it has been prepared with */
    int notes; /* pipe to the slot */
    int life;  /* ends when the slot does */
};
_Noreturn void box_main(struct box *box);
/* Says that `what` failed with errno, to the worker or (before a request) to the slot, and ends the box. */
_Noreturn void fault(const char *what);

/* request.c: waits until this box is the one of several that gets the next request. */
void receive(int socket, struct request *r, int *reply_to);

/* give.c */
struct room room_for(const struct request *r);
void put_files(const struct request *r, int box, bool ordinary);

/* program.c: never returns. */
_Noreturn void program_main(const struct box *box, const struct request *request, int channel, int out, int err);

/* filter.c */
int filter_load(void);

/* keep.c: writes what was asked for at the end of `result`; gives the bytes written. */
uint64_t keep_files(const struct request *request, int box_folder, unsigned user, int result);

/* slot.c */
int slot_main(struct settings *s);

/* Raw calls that libc 2.36 lacks or wraps too much. */
pid_t fork_into(uint64_t flags, int group);
int open_below(int folder, const char *path, uint64_t flags, uint64_t mode);
int write_all(int fd, const void *data, size_t size);
int write_text(const char *path, const char *text);
/* Adds MS_RDONLY, MS_NOSUID, MS_NODEV or MS_NOEXEC to what is mounted at `path` and below; takes none away, which for
 * mounts of the host's an ordinary user may not. */
int mount_closer(const char *path, uint64_t flags);

#endif
