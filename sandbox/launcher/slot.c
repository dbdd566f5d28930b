/* The slot: makes the root that all boxes see, keeps spare boxes ready, and gives back what ended ones leave. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher.h"

enum { BOXES = 256, TRIES = 3, USERS = 1024 };

static const struct settings *settings;

/* Says to the worker why, and ends; every box dies with the slot. */
static _Noreturn void die(const char *what, const char *why)
{
    char text[PATH_MAX + 200];
    int size = snprintf(text, sizeof text, "fault %s%s%s", what, why ? ": " : "", why ? why : "");
    send(settings->requests, text, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    _exit(1);
}

static void need(int result, const char *what)
{
    if (result < 0)
        die(what, strerror(errno));
}

/* ---- the root ---- */

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    need(fd, path);
    need(write_all(fd, text, strlen(text)), path);
    close(fd);
}

static void make_parents(const char *path)
{
    char part[PATH_MAX];
    for (const char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (mkdir(part, 0755) < 0 && errno != EEXIST)
            die(part, strerror(errno));
    }
}

/* `path` of the host at the same place below the new root: links as links, folders and files mounted read-only. */
static void show(const char *path, unsigned long flags)
{
    char below[PATH_MAX], target[PATH_MAX];
    struct stat about;
    if (lstat(path, &about) < 0)
        return;
    snprintf(below, sizeof below, "%s%s", settings->root, path);
    make_parents(below);
    if (S_ISLNK(about.st_mode)) {
        ssize_t size = readlink(path, target, sizeof target - 1);
        need(size, path);
        target[size] = '\0';
        need(symlink(target, below), path);
        return;
    }
    if (S_ISDIR(about.st_mode))
        need(mkdir(below, 0755), path);
    else
        need(mknod(below, S_IFREG | 0444, 0), path);
    /* An ordinary user must take along what is mounted below, so that nothing comes to light that it covers. */
    need(mount(path, below, NULL, MS_BIND | (settings->ordinary ? MS_REC : 0), NULL), path);
    need(mount_closer(below, MS_NOSUID | flags), path);
}

static void write_users(void)
{
    static char text[64 + USERS * 64];
    int size = snprintf(text, sizeof text, "root:x:0:0:root:/:/bin/sh\n");
    for (unsigned i = 0; i < (settings->ordinary ? 1 : USERS); i++)
        size += snprintf(text + size, sizeof text - size, "program:x:%u:%u::/box:/bin/sh\n", settings->user + i,
                         settings->user + i);
    write_file("etc/passwd", text);
}

static void make_root(void)
{
    static const char *const folders[] = {"/dev", "/dev/shm", "/proc", "/files", "/box", "/tmp", "/etc", "/empty",
                                          "/shelf"};
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    static const char *const links[][2] = {{"/proc/self/fd", "/dev/fd"},
                                           {"/proc/self/fd/0", "/dev/stdin"},
                                           {"/proc/self/fd/1", "/dev/stdout"},
                                           {"/proc/self/fd/2", "/dev/stderr"}};
    char path[PATH_MAX];
    need(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "private mounts");
    need(mount("root", settings->root, "tmpfs", MS_NOSUID, "mode=0755,size=1m"), settings->root);
    for (size_t i = 0; i < LENGTH(folders); i++) {
        snprintf(path, sizeof path, "%s%s", settings->root, folders[i]);
        need(mkdir(path, 0755), path);
    }
    for (size_t i = 0; i < LENGTH(devices); i++)
        show(devices[i], MS_RDONLY | MS_NOEXEC); /* a device is written to all the same; its times and rights are not */
    for (const char **item = settings->show; *item; item++)
        show(*item, MS_RDONLY | MS_NODEV);
    snprintf(path, sizeof path, "%s/shelf", settings->root);
    need(chmod(path, 0), path); /* for boxes that take the shelf away */
    need(mount(settings->shelf, path, NULL, MS_BIND, NULL), settings->shelf);
    need(mount_closer(path, MS_RDONLY | MS_NOSUID | MS_NODEV), path);
    if (settings->ordinary) {
        /* The kernel lets a user mount a /proc of its own only beside one that hides nothing; boxes take it away. */
        snprintf(path, sizeof path, "%s/proc", settings->root);
        need(mount("/proc", path, NULL, MS_BIND | MS_REC, NULL), path);
    } else {
        unsigned long kept = MS_RDONLY | MS_NOSUID | MS_NODEV;
        need(mount(NULL, path, NULL, MS_REMOUNT | MS_BIND | MS_NOATIME | kept, NULL), path);
    }
    need(chdir(settings->root), settings->root);
    for (size_t i = 0; i < LENGTH(links); i++)
        need(symlink(links[i][0], links[i][1] + 1), links[i][1]);
    write_users();
    write_file("etc/group", "root:x:0:\nprogram:x:60001:\n");
    write_file("etc/hostname", "box\n");
    write_file("etc/hosts", "127.0.0.1 localhost\n");
    write_file("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n");
    for (const char **item = settings->mask; *item; item++) {
        struct stat about;
        snprintf(path, sizeof path, "%s%s", settings->root, *item);
        if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
            need(mount("empty", path, NULL, MS_BIND, NULL), path);
        }
    }
    need(syscall(SYS_pivot_root, ".", "."), "pivot_root");
    need(umount2(".", MNT_DETACH), "leave the old root");
    need(chdir("/"), "/");
    need(mount(NULL, "/", NULL, MS_REMOUNT | MS_RDONLY | MS_NOSUID, NULL), "close the root");
}

/* ---- boxes ---- */

enum state { FREE, PREPARING, READY, TAKEN, ENDED };

static struct {
    enum state state;
    pid_t pid;
    unsigned number;
} boxes[BOXES];

static int notes[2], life[2];
static unsigned last_number, failures;
static char last_fault[160];

static void make_box(void)
{
    size_t i = 0;
    while (i < BOXES && boxes[i].state != FREE)
        i++;
    if (i == BOXES)
        return;
    static struct box box;
    box = (struct box){.settings = settings, .number = ++last_number, .notes = notes[1], .life = life[0]};
    box.user = settings->user;
    box.room = *settings->last;
    if (!settings->ordinary)
        box.user += (61u * getpid() + box.number) % USERS;
    need(groups_make(settings, box.number, &box.groups), "make a control group");
    pid_t pid = fork_into(CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC, -1);
    need(pid, "make a box");
    if (pid == 0) {
        close(notes[0]);
        close(life[1]);
        box_main(&box);
    }
    groups_close(&box.groups);
    boxes[i].state = PREPARING;
    boxes[i].pid = pid;
    boxes[i].number = box.number;
}

static size_t count(enum state state)
{
    size_t total = 0;
    for (size_t i = 0; i < BOXES; i++)
        total += boxes[i].state == state;
    return total;
}

static void read_notes(void)
{
    struct note note;
    while (read(notes[0], &note, sizeof note) == sizeof note) {
        for (size_t i = 0; i < BOXES; i++)
            if (boxes[i].state != FREE && boxes[i].state != ENDED && boxes[i].number == note.box && note.kind != NOTE_FAULT)
                boxes[i].state = note.kind == NOTE_READY ? READY : TAKEN; /* a faulty one is counted when it has ended */
        if (note.kind == NOTE_READY)
            failures = 0;
        if (note.kind == NOTE_FAULT)
            snprintf(last_fault, sizeof last_fault, "%s", note.text);
    }
}

static void reap(void)
{
    for (pid_t pid; (pid = waitpid(-1, NULL, WNOHANG)) > 0;)
        for (size_t i = 0; i < BOXES; i++)
            if (boxes[i].state != FREE && boxes[i].pid == pid) {
                if (boxes[i].state == PREPARING)
                    failures++;
                boxes[i].state = ENDED;
            }
}

static bool remove_ended(void)
{
    bool all = true;
    for (size_t i = 0; i < BOXES; i++)
        if (boxes[i].state == ENDED) {
            if (groups_remove(settings, boxes[i].number) == 0)
                boxes[i].state = FREE;
            else
                all = false;
        }
    return all;
}

/* The worker is gone or has closed: end every box and leave no control group. */
static _Noreturn void leave(void)
{
    for (size_t i = 0; i < BOXES; i++)
        if (boxes[i].state != FREE && boxes[i].state != ENDED)
            kill(boxes[i].pid, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        ;
    for (size_t i = 0; i < BOXES; i++)
        if (boxes[i].state != FREE)
            boxes[i].state = ENDED;
    for (int tries = 0; tries < 100 && !remove_ended(); tries++)
        usleep(10000);
    groups_remove_slot(settings);
    _exit(0);
}

/* So many spares; one more at once when none is left, the others when a run has ended, off its path. */
static void refill(void)
{
    size_t spare = count(READY) + count(PREPARING), running = count(TAKEN);
    for (size_t wanted = running ? 1 : settings->spares; spare < wanted; spare++)
        make_box();
}

/* Rights over namespaces of our own and over nothing of the host's. Only one number can be mapped without help: that of
 * programs, which is ours outside. */
static void enter_user_namespace(void)
{
    char map[64];
    unsigned user = geteuid(), group = getegid();
    need(unshare(CLONE_NEWUSER), "make a user namespace");
    need(write_text("/proc/self/setgroups", "deny"), "deny setgroups");
    snprintf(map, sizeof map, "%u %u 1", settings->user, user);
    need(write_text("/proc/self/uid_map", map), "map the user");
    snprintf(map, sizeof map, "%u %u 1", settings->user, group);
    need(write_text("/proc/self/gid_map", map), "map the group");
}

int slot_main(struct settings *s)
{
    settings = s;
    s->last = mmap(NULL, sizeof *s->last, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    need(s->last == MAP_FAILED ? -1 : 0, "memory");
    *s->last = (struct room){.memory_bytes = 256 << 20, .processes = 64, .file_bytes = 64 << 20, .files = 4096};
    /* By a descriptor, not by PDEATHSIG: that would fire with the thread of the worker that started us. */
    int worker = syscall(SYS_pidfd_open, getppid(), 0);
    need(worker, "watch the worker");
    if (s->ordinary)
        enter_user_namespace();
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    umask(0);
    /* CPython, for one, leaves SIGPIPE and SIGXFSZ ignored, and exec would pass that on to the program. */
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    /* Nothing below ever gains a right by an exec: ours never do one, and a program must not. */
    for (int right = 0; prctl(PR_CAPBSET_READ, right, 0, 0, 0) >= 0; right++)
        need(prctl(PR_CAPBSET_DROP, right, 0, 0, 0), "drop rights");
    if (s->core >= 0)
        need(sched_setaffinity(0, sizeof s->others, &s->others), "use other cores");
    need(unshare(CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC), "make namespaces");
    need(sethostname("box", 3), "name the host");
    make_root();
    need(pipe2(notes, O_CLOEXEC), "pipe");
    need(pipe2(life, O_CLOEXEC), "pipe");
    fcntl(notes[0], F_SETFL, O_NONBLOCK);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    need(sigprocmask(SIG_BLOCK, &child, NULL), "signals");
    int children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    need(children, "signalfd");

    refill();
    bool told = false;
    for (;;) {
        bool clean = remove_ended();
        struct pollfd fds[] = {
            {.fd = notes[0], .events = POLLIN},
            {.fd = children, .events = POLLIN},
            {.fd = worker, .events = POLLIN},
            {.fd = settings->requests, .events = 0}, /* its closing only; requests are the boxes' */
        };
        if (poll(fds, LENGTH(fds), clean ? -1 : 20) < 0 && errno != EINTR)
            die("poll", strerror(errno));
        if (fds[2].revents || fds[3].revents)
            leave();
        struct signalfd_siginfo info;
        while (read(children, &info, sizeof info) == sizeof info)
            ;
        read_notes();
        reap();
        if (failures >= TRIES)
            die("cannot prepare a box", last_fault[0] ? last_fault : "it died");
        if (!told && count(READY)) {
            need(send(settings->requests, "ready", 5, MSG_NOSIGNAL) == 5 ? 0 : -1, "say ready");
            told = true;
        }
        refill();
    }
}
