/* pid 1 of a box: prepares it, waits for one request, runs it, watches it, ends it, answers, exits. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launcher.h"

enum { CHUNK = 64 * 1024, POLL_MOST_NS = 50 * 1000000, POLL_LEAST_NS = 1000000, READ_LEAST_NS = 200 * 1000 };
enum { LATE_NS = 500 * 1000000 };

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* ---- failures: before a request they go to the slot, afterwards to the worker ---- */

static const struct box *self;
static int reply_to = -1;

static void tell(uint32_t kind, const char *text)
{
    struct note note = {.box = self->number, .kind = kind};
    snprintf(note.text, sizeof note.text, "%s", text);
    if (write(self->notes, &note, sizeof note) != sizeof note)
        _exit(1);
}

_Noreturn void fault(const char *what)
{
    int error = errno;
    if (reply_to >= 0) {
        struct reply reply = {.fault = error ? error : EINVAL};
        snprintf(reply.where, sizeof reply.where, "%s", what);
        write_all(reply_to, &reply, sizeof reply);
    } else {
        char text[128];
        snprintf(text, sizeof text, "%s: %s", what, strerror(error));
        tell(NOTE_FAULT, text);
    }
    _exit(1); /* the kernel kills all that is left in the box */
}

/* ---- preparing ---- */

static void make_files(void)
{
    /* One file system holds all that a program may write, so that one number bounds it. */
    char options[96];
    snprintf(options, sizeof options, "mode=0755,size=%llu,nr_inodes=%llu", (unsigned long long)self->room.file_bytes,
             (unsigned long long)self->room.files);
    if (mount("files", "/files", "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
        fault("mount files");
    static const char *const parts[][2] = {{"/files/box", "/box"}, {"/files/tmp", "/tmp"}, {"/files/shm", "/dev/shm"}};
    for (size_t i = 0; i < LENGTH(parts); i++)
        if (mkdir(parts[i][0], 0777) < 0 || chmod(parts[i][0], 01777) < 0 ||
            mount(parts[i][0], parts[i][1], NULL, MS_BIND, NULL) < 0)
            fault(parts[i][1]);
    if (umount2("/files", MNT_DETACH) < 0)
        fault("umount files");
}

static void make_proc(void)
{
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    if (self->settings->version == 0) {
        /* One that shows every process, for this one alone: no path leads to it. */
        if (mount("proc", "/files", "proc", flags, "subset=pid") < 0)
            fault("mount proc to look at");
        sampled_open("/files");
        if (umount2("/files", MNT_DETACH) < 0)
            fault("umount proc to look at");
    }
    if (mount("proc", "/files", "proc", flags, "subset=pid,hidepid=invisible") < 0)
        fault("mount proc");
    if (self->settings->ordinary && umount2("/proc", MNT_DETACH) < 0)
        fault("umount the proc of the host");
    if (mount("/files", "/proc", NULL, MS_MOVE, NULL) < 0)
        fault("move proc");
}

/* After the program has made itself the first to go for memory of the whole host, it must not take that back. */
static void close_proc(void)
{
    if (mount(NULL, "/proc", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
        fault("close proc");
}

/* ---- the core: made on another, the box and its program run on that of their worker ---- */

/* Handing over within a core is ten times faster than waking another one. */
static void take_core(pid_t program)
{
    int core = self->settings->core;
    cpu_set_t only;
    if (core < 0)
        return;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    if (sched_setaffinity(program, sizeof only, &only) < 0 || sched_setaffinity(0, sizeof only, &only) < 0)
        fault("keep to one core");
}

/* What is left to do is done on another core, if there is one: this one is the worker's again. */
static void leave_core(void)
{
    if (self->settings->core >= 0)
        sched_setaffinity(0, sizeof self->settings->others, &self->settings->others);
    sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0});
}

/* ---- the start ---- */

/* What differs from the room that the box was prepared with. */
static void make_room(struct room room)
{
    if (room.memory_bytes != self->room.memory_bytes || room.processes != self->room.processes)
        if (groups_limit(&self->groups, room.memory_bytes, room.processes) < 0)
            fault("limits");
    if (room.file_bytes != self->room.file_bytes || room.files != self->room.files) {
        char options[96];
        snprintf(options, sizeof options, "size=%llu,nr_inodes=%llu", (unsigned long long)room.file_bytes,
                 (unsigned long long)room.files);
        if (mount(NULL, "/box", NULL, MS_REMOUNT | MS_NOSUID | MS_NODEV, options) < 0)
            fault("size of files");
    }
    *self->settings->last = room;
}

/* A pipe belongs to who made it, which is root; its name in /proc then opens for root only. Two boxes may share one. */
static void give(int pipe)
{
    if (fchmod(pipe, 0666) < 0)
        fault("give a pipe");
}

static void hand_over(const struct request *r, int channel)
{
    size_t count = r->head.has_stdout ? 2 : 1;
    char byte = 0;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = CMSG_SPACE(count * sizeof(int))};
    memset(&control, 0, sizeof control);
    control.head = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(count * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &r->fds[FD_STDIN], count * sizeof(int));
    /* So that /dev/stdin and /dev/stdout can be opened by name. */
    for (size_t i = FD_STDIN; i < FD_STDIN + count; i++) {
        struct stat about;
        if (fstat(r->fds[i], &about) == 0 && S_ISFIFO(about.st_mode))
            give(r->fds[i]);
    }
    if (sendmsg(channel, &message, MSG_NOSIGNAL) != 1)
        fault("start");
    /* From here on only the program holds them, so that the other end of a pipe sees it end. */
    for (size_t i = FD_STDIN; i < r->fdc; i++)
        close(r->fds[i]);
}

/* ---- watching ---- */

/* What the program writes to one of its two pipes: the first `most` bytes go to the result or to memory. */
struct stream {
    int pipe;
    uint64_t most, kept, written;
    bool over;  /* it wrote more than `most` */
    char *into; /* NULL: the result file */
};

/* Reads once. False: nothing more to read now. */
static bool drain(struct stream *s, int result)
{
    static char chunk[CHUNK];
    ssize_t size = read(s->pipe, chunk, sizeof chunk);
    if (size < 0) {
        if (errno != EAGAIN && errno != EINTR)
            fault("output");
        return errno == EINTR; /* EAGAIN even after a poll: the program may read what it wrote */
    }
    if (size == 0) {
        close(s->pipe);
        s->pipe = -1;
        return false;
    }
    s->written += (uint64_t)size;
    uint64_t room = s->most - s->kept;
    uint64_t take = (uint64_t)size < room ? (uint64_t)size : room;
    if (take < (uint64_t)size)
        s->over = true;
    if (s->into)
        memcpy(s->into + s->kept, chunk, take);
    else if (write_all(result, chunk, take) < 0)
        fault("result");
    s->kept += take;
    return true;
}

struct watch {
    const struct request *request;
    const struct groups *groups;
    pid_t program;
    int children; /* signalfd */
    int result;
    struct stream out, err;
    uint64_t started, cpu_before, ended;
    uint64_t frozen; /* wall time that nobody could use: the machine, or all that is ours, stood still */
    bool told; /* the slot, that this box is no spare any more */
    bool gone; /* the first process */
    int status;
    enum cause cause;
};

/* Whether it wrote more than it may: on standard output, or on both streams more than both may keep. */
static bool floods(const struct watch *w)
{
    return w->out.over || w->out.written + w->err.written > w->out.most + w->err.most;
}

static void reap(struct watch *w)
{
    int status;
    siginfo_t end = {0};
    /* A last look at all that is there when the first process ends. */
    if (self->settings->version == 0 && waitid(P_PID, w->program, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid)
        groups_cpu_ns(w->groups);
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        if (pid == w->program) {
            w->gone = true;
            w->status = status;
        }
}

/* Time until the CPU limit can have been passed, at the earliest, or the wall limit is. */
static uint64_t patience(const struct watch *w, uint64_t now, uint64_t cpu)
{
    static long cores;
    if (!cores)
        cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t wait = (w->request->head.cpu_ns - cpu) / (cores > 0 ? cores : 1);
    if (wait < POLL_LEAST_NS)
        wait = POLL_LEAST_NS;
    uint64_t most = self->settings->version ? POLL_MOST_NS : sampled_rest_ns();
    if (wait > most)
        wait = most;
    if (!w->told)
        wait = POLL_LEAST_NS;
    uint64_t wall = w->started + w->frozen + w->request->head.wall_ns - now;
    return wait < wall ? wait : wall;
}

static void watch(struct watch *w)
{
    const struct request_head *quota = &w->request->head;
    uint64_t next = 0, rested = 0, due = UINT64_MAX, now;
    while (!w->gone && w->cause == CAUSE_NONE) {
        now = now_ns();
        /* Who watches and wakes far too late was stopped, and the program with it: that is no time of the program. */
        if (now > due && now - due > LATE_NS)
            w->frozen += now - due;
        if (now >= w->started + w->frozen + quota->wall_ns) {
            w->cause = CAUSE_WALL;
            break;
        }
        /* Making the next box must not delay this one; a short run lets the slot see that from its end. */
        if (!w->told && now >= w->started + POLL_LEAST_NS) {
            tell(NOTE_TAKEN, "");
            w->told = true;
        }
        if (now >= next) {
            uint64_t cpu = groups_cpu_ns(w->groups) - w->cpu_before;
            if (cpu > quota->cpu_ns) {
                w->cause = CAUSE_CPU;
                break;
            }
            if (groups_memory_passed(w->groups)) {
                w->cause = CAUSE_KILLED;
                break;
            }
            next = now + patience(w, now, cpu);
        }
        /* Who writes a line at a time must not wake us for each; the pipe holds what comes meanwhile. */
        bool rests = now < rested;
        struct pollfd fds[] = {
            {.fd = w->children, .events = POLLIN},
            {.fd = w->request->fds[FD_STOP], .events = POLLIN},
            {.fd = rests ? -1 : w->out.pipe, .events = POLLIN},
            {.fd = rests ? -1 : w->err.pipe, .events = POLLIN},
            {.fd = reply_to}, /* tells only when the worker has closed its end */
        };
        uint64_t wait = (rests && rested < next ? rested : next) - now;
        struct timespec pause = {wait / 1000000000, wait % 1000000000};
        due = now + wait;
        if (ppoll(fds, LENGTH(fds), &pause, NULL) <= 0)
            continue;
        if (fds[0].revents) {
            struct signalfd_siginfo info;
            if (read(w->children, &info, sizeof info) < 0 && errno != EAGAIN)
                fault("signalfd");
            reap(w);
        }
        if (fds[1].revents || fds[4].revents)
            w->cause = CAUSE_KILLED;
        uint64_t before = w->out.written + w->err.written;
        if (fds[2].revents)
            drain(&w->out, w->result);
        if (fds[3].revents)
            drain(&w->err, w->result);
        if ((fds[2].revents || fds[3].revents) && w->out.written + w->err.written - before < CHUNK / 2)
            rested = now_ns() + READ_LEAST_NS;
        if (floods(w))
            w->cause = CAUSE_OUTPUT;
    }
    w->ended = now_ns();
}

/* After this nothing lives in the box but this process: kill(-1) takes no lock that a fork could slip through. */
static void end_all(struct watch *w)
{
    int status;
    kill(-1, SIGKILL);
    for (pid_t pid; (pid = waitpid(-1, &status, 0)) > 0 || errno == EINTR;)
        if (pid == w->program && !w->gone) {
            w->gone = true;
            w->status = status;
        }
    while (w->out.pipe >= 0 && !w->out.over && drain(&w->out, w->result))
        ;
    while (w->err.pipe >= 0 && !w->err.over && drain(&w->err, w->result))
        ;
    if (floods(w) && w->cause == CAUSE_NONE)
        w->cause = CAUSE_OUTPUT;
}

static void answer(struct watch *w, int channel, int box)
{
    struct usage usage = groups_usage(w->groups);
    struct reply reply = {
        .cause = w->cause,
        .status = w->status,
        .cpu_ns = usage.cpu_ns - w->cpu_before,
        .wall_ns = w->ended - w->started - w->frozen,
        .memory_bytes = usage.memory_bytes,
        .oom_kills = usage.oom_kills,
        .refused_processes = usage.refused_processes,
        .stdout_bytes = w->out.kept,
        .stderr_bytes = w->err.kept,
    };
    int error;
    if (recv(channel, &error, sizeof error, MSG_DONTWAIT) == sizeof error)
        reply.exec_errno = error;
    struct statfs files;
    if (fstatfs(box, &files) == 0)
        reply.files_full = files.f_bfree == 0 || files.f_ffree == 0;
    if (write_all(w->result, w->err.into, w->err.kept) < 0)
        fault("result");
    reply.kept_bytes = keep_files(w->request, box, self->user, w->result);
    if (write_all(reply_to, &reply, sizeof reply) < 0)
        _exit(1);
    leave_core();
}

_Noreturn void box_main(struct box *box)
{
    self = box;
    if (getpid() != 1)
        _exit(1); /* kill(-1) below would reach the whole host */
    struct pollfd life = {.fd = box->life, .events = POLLIN};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || poll(&life, 1, 0) != 0)
        _exit(1); /* the slot was gone before the line above could take effect */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    make_files();
    make_proc();

    /* Shared with pid 2 only until it becomes the program. */
    struct request *request =
        mmap(NULL, sizeof *request, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int channel[2], out[2], err[2];
    if (request == MAP_FAILED || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) < 0 ||
        pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0)
        fault("pipes");
    give(out[0]);
    give(err[0]);
    pid_t program = fork_into(0, box->groups.directory);
    if (program < 0)
        fault("fork");
    if (program == 0) {
        close(channel[0]);
        program_main(box, request, channel[1], out[1], err[1]);
    }
    close(channel[1]);
    close(out[1]);
    close(err[1]);
    if (groups_join(&box->groups, program) < 0)
        fault("join control groups");
    int ready = 0;
    ssize_t size = recv(channel[0], &ready, sizeof ready, 0);
    if (size != 1) {
        errno = size == sizeof ready ? ready : ESRCH;
        fault("drop rights");
    }
    close_proc();
    int folder = open("/box", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct watch w = {.request = request, .groups = &box->groups, .program = program};
    w.children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (folder < 0 || w.children < 0)
        fault("descriptors");
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    fcntl(err[0], F_SETFL, O_NONBLOCK);
    umask(0);
    /* On a busy host the limits must still be noticed in time. Where it is not allowed, the figures stay right. */
    sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &(struct sched_param){1});
    take_core(program);
    if (groups_limit(&box->groups, box->room.memory_bytes, box->room.processes) < 0)
        fault("limits");
    mlockall(MCL_CURRENT); /* or the first touch of each page, after the fork, costs the run a fault */
    tell(NOTE_READY, "");

    receive(box->settings->requests, request, &reply_to);
    const struct request_head *quota = &request->head;
    w.result = request->fds[FD_RESULT];
    w.out = (struct stream){.pipe = out[0], .most = quota->output_bytes};
    w.err = (struct stream){.pipe = err[0], .most = quota->stderr_bytes};
    w.err.into = malloc(quota->stderr_bytes + 1);
    if (!w.err.into)
        fault("memory");
    make_room(room_for(request));
    put_files(request, folder, box->settings->ordinary);
    w.cpu_before = groups_cpu_ns(&box->groups);
    w.started = now_ns();
    hand_over(request, channel[0]);
    watch(&w);
    end_all(&w);
    answer(&w, channel[0], folder);
    _exit(0);
}
