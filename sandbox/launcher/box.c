/* pid 1 of a box: prepares it, waits for one request, runs it, watches it, ends it, answers, exits. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launcher.h"

enum { CHUNK = 64 * 1024, POLL_MOST_NS = 50 * 1000000, POLL_LEAST_NS = 1000000, EXTRA_INODES = 4096 };

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

static _Noreturn void fault(const char *what)
{
    int error = errno;
    if (reply_to >= 0) {
        struct reply reply = {.fault = error ? error : EINVAL};
        snprintf(reply.where, sizeof reply.where, "%s", what);
        send(reply_to, &reply, sizeof reply, MSG_NOSIGNAL);
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
    if (mount("files", "/files", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=64m,nr_inodes=4096") < 0)
        fault("mount files");
    static const char *const parts[][2] = {{"/files/box", "/box"}, {"/files/tmp", "/tmp"}, {"/files/shm", "/dev/shm"}};
    for (size_t i = 0; i < LENGTH(parts); i++)
        if (mkdir(parts[i][0], 0777) < 0 || chmod(parts[i][0], 01777) < 0 ||
            mount(parts[i][0], parts[i][1], NULL, MS_BIND, NULL) < 0)
            fault(parts[i][1]);
    if (umount2("/files", MNT_DETACH) < 0)
        fault("umount files");
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "subset=pid,hidepid=invisible") < 0)
        fault("mount proc");
}

/* For memory of the whole host, the program goes first. Then /proc is closed, so that it cannot take this back. */
static void offer_to_oom_killer(pid_t pid)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", pid);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "1000", 4) != 4)
        fault("oom_score_adj");
    close(fd);
    if (mount(NULL, "/proc", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
        fault("close proc");
}

/* ---- the request ---- */

static size_t take_strings(struct request *r, char **at, char **into, uint32_t count, size_t most)
{
    if (count >= most)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        char *end = memchr(*at, '\0', r->bytes + sizeof r->bytes - *at);
        if (!end)
            return 0;
        into[i] = *at;
        *at = end + 1;
    }
    into[count] = NULL;
    return 1;
}

static bool parse(struct request *r, size_t size)
{
    if (size < sizeof r->head)
        return false;
    memcpy(&r->head, r->bytes, sizeof r->head);
    struct request_head *h = &r->head;
    char *at = r->bytes + sizeof *h;
    if (h->filec > FILES || size < sizeof *h + h->filec * sizeof *r->files)
        return false;
    r->files = (struct request_file *)at;
    at += h->filec * sizeof *r->files;
    if (!take_strings(r, &at, r->argv, h->argc, STRINGS) || !take_strings(r, &at, r->env, h->envc, STRINGS) ||
        !take_strings(r, &at, r->names, h->filec, FILES) || !take_strings(r, &at, r->keep, h->keepc, FILES) ||
        !take_strings(r, &at, r->writable, h->writablec, FILES))
        return false;
    size_t least = h->has_stdout ? FD_STDOUT_OR_FIRST_FILE + 1 : FD_STDOUT_OR_FIRST_FILE;
    for (uint32_t i = 0; i < h->filec; i++)
        if (r->files[i].descriptor < least || r->files[i].descriptor >= r->fdc)
            return false;
    return h->argc > 0 && r->fdc >= least && (size_t)(at - r->bytes) == size;
}

/* Blocks until this box is the one that gets a request; several wait on the same socket. */
static void receive(struct request *r)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
    } control;
    struct iovec part = {r->bytes, sizeof r->bytes};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t size = recvmsg(self->settings->requests, &message, MSG_CMSG_CLOEXEC);
    if (size <= 0)
        _exit(0); /* the worker is gone */
    tell(NOTE_TAKEN, "");
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_type == SCM_RIGHTS) {
        r->fdc = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(r->fds, CMSG_DATA(head), r->fdc * sizeof(int));
    }
    if (r->fdc > FD_REPLY)
        reply_to = r->fds[FD_REPLY];
    errno = EBADMSG;
    if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) || !parse(r, size))
        fault("request");
}

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

/*
 * Copied by this process, which is outside the run's memory group: the figures do not see these pages. The files
 * belong to root in a sticky folder: the program can neither change, rename nor remove them.
 */
static void put_files(const struct request *r, int box)
{
    uint64_t extra = 0;
    for (uint32_t i = 0; i < r->head.filec; i++)
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

/* A pipe belongs to who made it, which is root; its name in /proc then opens for root only. */
static void give(int pipe)
{
    if (fchown(pipe, self->settings->user, self->settings->user) < 0)
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
    uint64_t most, kept;
    bool over;  /* it wrote more than that */
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
    bool gone; /* the first process */
    int status;
    enum cause cause;
};

static void reap(struct watch *w)
{
    int status;
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
    if (wait > POLL_MOST_NS)
        wait = POLL_MOST_NS;
    uint64_t wall = w->started + w->request->head.wall_ns - now;
    return wait < wall ? wait : wall;
}

static void watch(struct watch *w)
{
    const struct request_head *quota = &w->request->head;
    uint64_t next = 0, now;
    while (!w->gone && w->cause == CAUSE_NONE) {
        now = now_ns();
        if (now >= w->started + quota->wall_ns) {
            w->cause = CAUSE_WALL;
            break;
        }
        if (now >= next) {
            uint64_t cpu = groups_cpu_ns(w->groups) - w->cpu_before;
            if (cpu > quota->cpu_ns) {
                w->cause = CAUSE_CPU;
                break;
            }
            next = now + patience(w, now, cpu);
        }
        struct pollfd fds[] = {
            {.fd = w->children, .events = POLLIN},
            {.fd = reply_to, .events = POLLIN}, /* closed by the worker: stop */
            {.fd = w->out.pipe, .events = POLLIN},
            {.fd = w->err.pipe, .events = POLLIN},
        };
        struct timespec pause = {(next - now) / 1000000000, (next - now) % 1000000000};
        if (ppoll(fds, LENGTH(fds), &pause, NULL) <= 0)
            continue;
        if (fds[0].revents) {
            struct signalfd_siginfo info;
            if (read(w->children, &info, sizeof info) < 0 && errno != EAGAIN)
                fault("signalfd");
            reap(w);
        }
        if (fds[1].revents)
            w->cause = CAUSE_KILLED;
        if (fds[2].revents)
            drain(&w->out, w->result);
        if (fds[3].revents)
            drain(&w->err, w->result);
        if (w->out.over)
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
    if (w->out.over && w->cause == CAUSE_NONE)
        w->cause = CAUSE_OUTPUT;
}

static void answer(struct watch *w, int channel, int box)
{
    struct usage usage = groups_usage(w->groups);
    struct reply reply = {
        .cause = w->cause,
        .status = w->status,
        .cpu_ns = usage.cpu_ns - w->cpu_before,
        .wall_ns = w->ended - w->started,
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
    reply.kept_bytes = keep_files(w->request, box, self->settings->user, w->result);
    if (send(reply_to, &reply, sizeof reply, MSG_NOSIGNAL) < 0)
        _exit(1);
}

_Noreturn void box_main(struct box *box)
{
    self = box;
    struct pollfd life = {.fd = box->life, .events = POLLIN};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || poll(&life, 1, 0) != 0)
        _exit(1); /* the slot was gone before the line above could take effect */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    make_files();

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
        program_main(request, channel[1], out[1], err[1], box->settings->user);
    }
    close(channel[1]);
    close(out[1]);
    close(err[1]);
    if (groups_join(&box->groups, program) < 0)
        fault("join control groups");
    offer_to_oom_killer(program);
    int ready = 0;
    ssize_t size = recv(channel[0], &ready, sizeof ready, 0);
    if (size != 1) {
        errno = size == sizeof ready ? ready : ESRCH;
        fault("drop rights");
    }
    int folder = open("/box", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct watch w = {.request = request, .groups = &box->groups, .program = program};
    w.children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (folder < 0 || w.children < 0)
        fault("descriptors");
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    fcntl(err[0], F_SETFL, O_NONBLOCK);
    umask(0);
    tell(NOTE_READY, "");

    receive(request);
    const struct request_head *quota = &request->head;
    w.result = request->fds[FD_RESULT];
    w.out = (struct stream){.pipe = out[0], .most = quota->output_bytes};
    w.err = (struct stream){.pipe = err[0], .most = quota->stderr_bytes};
    w.err.into = malloc(quota->stderr_bytes + 1);
    if (!w.err.into || groups_limit(&box->groups, quota->memory_bytes, quota->processes) < 0)
        fault("limits");
    put_files(request, folder);
    w.cpu_before = groups_cpu_ns(&box->groups);
    w.started = now_ns();
    hand_over(request, channel[0]);
    watch(&w);
    end_all(&w);
    answer(&w, channel[0], folder);
    _exit(0);
}
