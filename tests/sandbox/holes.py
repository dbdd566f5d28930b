"""The defences of the launcher, each with an edit of its source that takes it away."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """A defence taken out of the launcher: (file, text, what stands there instead), and what then no longer holds.

    `through` names programs below `tests/sandbox/hostile/`, others below `tests/sandbox/`, and tests there.
    """

    name: str
    edits: tuple[tuple[str, str, str], ...]
    through: tuple[str, ...]


def _show(path: str) -> tuple[str, str, str]:
    loop = "for (const char **item = settings->show; *item; item++)"
    return "slot.c", loop, f'show("{path}", MS_RDONLY | MS_NODEV); {loop}'


HOLES = [
    Hole(
        name="no filter",
        edits=(("program.c", "return filter_load();", "return 0;"),),
        through=(
            "exited/channels.c",
            "exited/network.c",
            "exited/system_calls.c",
            "exited/namespaces_and_mounts.c",
            "exited/other_processes.c",
            "exited/system_calls.py",
            "exited/network.js",
            "exited/more_than_its_share.c",
            "exited/younger_calls.c",
            "exited/asks_for_the_disk.c",
            "refused/int80.c",
            "refused/int80.py",
            "refused/x32.c",
            "refused/x32.py",
        ),
    ),
    Hole(
        name="the program stays root",
        edits=(("program.c", " || setresuid(user, user, user) < 0", ""),),
        through=(
            "exited/descriptors_and_environment.c",
            "exited/more_than_its_share.c",
            "exited/changes_given_files.c",
            "exited/system_calls.py",
        ),
    ),
    Hole(
        name="the program has its keeper's number, and no filter keeps it away",
        edits=(
            ("program.c", " || setresuid(user, user, user) < 0", ""),
            ("filter.c", "not_on_keeper[i][1], (const uint32_t[]){1}, 1,", "not_on_keeper[i][1], NULL, 0,"),
        ),
        through=("exited/other_processes.c",),
    ),
    Hole(
        name="all boxes have one user",
        edits=(("slot.c", "(61u * getpid() + box.number) % USERS", "0"),),
        through=("test_neighbours::test_every_run_has_a_user_of_its_own", "neighbours/looks.c"),
    ),
    Hole(
        name="root with its rights",
        edits=(
            ("program.c", " || setresuid(user, user, user) < 0", ""),
            ("slot.c", 'need(prctl(PR_CAPBSET_DROP, right, 0, 0, 0), "drop rights");', ";"),
        ),
        through=("exited/namespaces_and_mounts.c",),
    ),
    Hole(
        name="rights may come back by an exec",
        edits=(("slot.c", 'need(prctl(PR_CAPBSET_DROP, right, 0, 0, 0), "drop rights");', ";"),),
        through=("exited/descriptors_and_environment.c",),
    ),
    Hole(
        name="no memory limit",
        edits=(
            ("groups.c", "(g->memory_max, memory_bytes)", "(g->memory_max, memory_bytes + (1ull << 36))"),
            ("groups.c", "v2 ? 0 : memory_bytes", "v2 ? 0 : memory_bytes + (1ull << 36)"),
        ),
        through=(
            "memory/spread.c",
            "memory/shared_map.c",
            "memory/memfd.c",
            "memory/files.c",
            "memory/socket_buffers.c",
            "memory/pipes.c",
            "memory/page_tables.c",
            "memory/kernel_objects.c",
            "memory/mapped.py",
            "memory/outside_the_heap.js",
            "memory/Outside.java",
            "compile/memory/include_zero.cpp",
        ),
    ),
    Hole(
        name="kills for memory are not counted",
        edits=(("groups.c", 'read_number(g->memory_events, "oom_kill")', "0"),),
        through=("memory/in_a_child.c", "memory/in_a_child.py", "memory/hog.c"),
    ),
    Hole(
        name="no limit of processes",
        edits=(("groups.c", "(g->pids_max, processes)", "(g->pids_max, processes + 5000)"),),
        through=(
            "processes/forks.c",
            "processes/threads.c",
            "processes/forks.py",
            "processes/threads.py",
            "processes/spawns.js",
            "processes/Threads.java",
        ),
    ),
    Hole(
        name="CPU is not polled",
        edits=(("box.c", "if (cpu > quota->cpu_ns) {", "if (false) {"),),
        through=(
            "cpu_time/loop.c",
            "cpu_time/fork_bomb.c",
            "cpu_time/orphans.c",
            "cpu_time/signal_handler.c",
            "compile/cpu_time/templates.cpp",
        ),
    ),
    Hole(
        name="CPU of the first process alone",
        edits=(
            (
                "groups.c",
                (
                    'return g->directory >= 0 ? 1000 * read_number(g->cpu_usage, "usage_usec") '
                    ': read_number(g->cpu_usage, "");'
                ),
                (
                    "(void)g; struct timespec t = {0}; clockid_t clock; "
                    "if (clock_getcpuclockid(2, &clock) == 0) clock_gettime(clock, &t); "
                    "return t.tv_sec * 1000000000ull + t.tv_nsec;"
                ),
            ),
            ("groups.c", "#include <unistd.h>", "#include <unistd.h>\n#include <time.h>"),
        ),
        through=("cpu_time/orphans.c", "cpu_time/many_children.c", "cpu_time/many_short_lives.c"),
    ),
    Hole(
        name="wall time is not watched",
        edits=(("box.c", "if (now >= w->started + w->frozen + quota->wall_ns) {", "if (false) {"),),
        through=(
            "wall_time/sleeps.c",
            "wall_time/sleeps.py",
            "wall_time/ignores_signals.c",
            "wall_time/stops_itself.c",
            "wall_time/waits_for_a_pipe.c",
        ),
    ),
    Hole(
        name="a run ends with its output",
        edits=(
            (
                "box.c",
                "while (!w->gone && w->cause == CAUSE_NONE) {",
                "while ((!w->gone || w->out.pipe >= 0) && w->cause == CAUSE_NONE) {",
            ),
        ),
        through=("exited/orphan_holds_stdout.c", "exited/orphan_burns_on.c"),
    ),
    Hole(
        name="how it ended is lost",
        edits=(("box.c", ".status = w->status,", ".status = 0,"),),
        through=("signalled/6-abort.c", "signalled/9-kill.c", "signalled/15-terminate.c", "signalled/11-segfault.c"),
    ),
    Hole(
        name="a failed exec is told by an exit code",
        edits=(
            (
                "box.c",
                "if (recv(channel, &error, sizeof error, MSG_DONTWAIT) == sizeof error)",
                "if ((void)channel, WEXITSTATUS(w->status) == 122 && (error = 2))",
            ),
        ),
        through=("test_boxes::test_exit_codes_are_the_programs_own-122",),
    ),
    Hole(
        name="output is not stopped",
        edits=(
            (
                "box.c",
                "return w->out.over || w->out.written + w->err.written > w->out.most + w->err.most;",
                "(void)w; return false;",
            ),
        ),
        through=("output/flood.c", "output/flood.js", "output/flood_by_children.c", "output/stderr_flood.c"),
    ),
    Hole(
        name="standard error is not cut",
        edits=(("box.c", "quota->stderr_bytes", "100 * quota->stderr_bytes"),),
        through=("exited/stderr_flood.c", "compile/exited/messages.cpp"),
    ),
    Hole(
        name="files stay for the next run",
        edits=(
            (
                "slot.c",
                'need(mount(NULL, "/", NULL, MS_REMOUNT',
                'mount("files", "/files", "tmpfs", 0, "mode=0755"); need(mount(NULL, "/", NULL, MS_REMOUNT',
            ),
            (
                "box.c",
                'mount("files", "/files", "tmpfs", MS_NOSUID | MS_NODEV, options) < 0',
                "0",
            ),
            ("box.c", "mkdir(parts[i][0], 0777) < 0 ||", "(mkdir(parts[i][0], 0777) < 0 && errno != EEXIST) ||"),
            ("give.c", "O_CREAT | O_EXCL", "O_CREAT"),
        ),
        through=("exited/leaves_things.c", "test_boxes::test_a_box_begins_empty"),
    ),
    Hole(
        name="more of the host is shown",
        edits=(*(_show(path) for path in ("/root", "/etc/shadow", "/sys", "/var")),),
        through=(
            "exited/looks_around.c",
            "exited/looks_around.py",
            "exited/looks_around.js",
            "exited/Processes.java",
            "exited/Network.java",
        ),
    ),
    Hole(
        name="more of the host is shown, to root",
        edits=(
            *(_show(path) for path in ("/root", "/etc/shadow")),
            ("program.c", "setresgid(user, user, user) < 0 || setresuid(user, user, user) < 0", "user == 0"),
        ),
        through=(
            "compile/exited/include_shadow.cpp",
            "compile/exited/looks_for_files.cpp",
            "test_compiling::test_a_processor_of_annotations",
            "test_compiling::test_a_plugin_of_the_compiler",
            "test_compiling::test_a_recipe_of_make",
        ),
    ),
    Hole(
        name="a descriptor stays open",
        edits=(("program.c", "syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC)", "fcntl(channel, F_SETFD, 0)"),),
        through=("exited/descriptors_and_environment.c", "exited/forges_a_result.c"),
    ),
    Hole(
        name="a variable comes along",
        edits=(
            ("program.c", "request->argv, request->env)", 'request->argv, (char *[]){"DJANGO_SECRET_KEY=x", NULL})'),
        ),
        through=("exited/descriptors_and_environment.c", "exited/looks_around.js", "exited/looks_around.py"),
    ),
    Hole(
        name="device files may be touched",
        edits=(("slot.c", "MS_RDONLY | MS_NOEXEC", "MS_NOEXEC"),),
        through=("exited/touches_devices.c",),
    ),
    Hole(
        name="address space is limited",
        edits=(
            (
                "program.c",
                "limit(RLIMIT_STACK, stack) < 0",
                "limit(RLIMIT_AS, quota->memory_bytes) < 0 || limit(RLIMIT_STACK, stack) < 0",
            ),
        ),
        through=("exited/untouched_allocation.c",),
    ),
    Hole(
        name="a small stack",
        edits=(("program.c", "limit(RLIMIT_STACK, stack)", "limit(RLIMIT_STACK, 0 * stack + (8 << 20))"),),
        through=("legitimate/deep_recursion.cpp", "memory/deep_recursion.c"),
    ),
    Hole(
        name="the keeper is in the group and the first to go",
        edits=(
            (
                "box.c",
                "if (groups_join(&box->groups, program) < 0)",
                "if (groups_join(&box->groups, program) < 0 || groups_join(&box->groups, getpid()) < 0)",
            ),
            ("box.c", "    close_proc();\n", '    write_text("/proc/self/oom_score_adj", "1000"); close_proc();\n'),
            ("program.c", 'write_text("/proc/self/oom_score_adj", "1000") < 0', "false"),
        ),
        through=("memory/small_processes_big_files.c",),
    ),
    Hole(
        name="what is pretended is done",
        edits=(("filter.c", "if_equal(pretended[i], fail(0));", ";"),),
        through=("exited/asks_for_the_disk.c", "exited/channels.c"),
    ),
    Hole(
        name="younger calls are let through",
        edits=(("filter.c", "LAST_KNOWN, 0, 1);", "0x3fffffff, 0, 1);"),),
        through=("exited/younger_calls.c",),
    ),
    Hole(
        name="the box is not sticky",
        edits=(("box.c", "chmod(parts[i][0], 01777)", "chmod(parts[i][0], 0777)"),),
        through=("exited/changes_given_files.c",),
    ),
    Hole(
        name="given files may be written",
        edits=(("give.c", "O_WRONLY | O_CREAT | O_EXCL, 0555", "O_WRONLY | O_CREAT | O_EXCL, 0777"),),
        through=("exited/changes_given_files.c",),
    ),
    Hole(
        name="files have no bound together",
        edits=(
            ("box.c", '"mode=0755,size=%llu,nr_inodes=%llu"', '"mode=0755,size=%llu00,nr_inodes=%llu00"'),
            ("box.c", '"size=%llu,nr_inodes=%llu"', '"size=%llu00,nr_inodes=%llu00"'),
        ),
        through=("output/fills_its_files.c", "output/too_many_files.c"),
    ),
    Hole(
        name="one file has no bound",
        edits=(("program.c", "|| limit(RLIMIT_FSIZE, quota->file_bytes) < 0", ""),),
        through=("output/terabyte_file.c", "exited/more_than_its_share.c"),
    ),
    Hole(
        name="dumps go to a handler",
        edits=(("program.c", "(struct rlimit){1, 1}", "(struct rlimit){0, 0}"),),
        through=("exited/descriptors_and_environment.c",),
    ),
    Hole(
        name="all of /proc",
        edits=(("box.c", '"subset=pid,hidepid=invisible"', "NULL"),),
        through=("exited/looks_around.c", "exited/looks_around.py"),
    ),
    Hole(
        name="/proc may be written",
        edits=(
            (
                "box.c",
                "MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC",
                "MS_REMOUNT | MS_BIND | MS_NOSUID",
            ),
        ),
        through=("exited/more_than_its_share.c",),
    ),
    Hole(
        name="nothing is masked",
        edits=(("slot.c", 'need(mount("empty", path, NULL, MS_BIND, NULL), path);', ";"),),
        through=("exited/looks_around.c",),
    ),
    Hole(
        name="/usr may be written and gives rights",
        edits=(("slot.c", "need(mount_closer(below, MS_NOSUID | flags), path);", "(void)flags;"),),
        through=("exited/setuid_programs.c",),
    ),
    Hole(
        name="links are followed on the way out",
        edits=(
            ("launcher.c", "RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS", "0"),
            ("keep.c", "O_RDONLY | O_NOFOLLOW |", "O_RDONLY |"),
            ("keep.c", " && about.st_uid == w->user && !given(item)", " && (true || given(item))"),
        ),
        through=(
            "nothing_kept/swaps.c",
            "nothing_kept/symlink.c",
            "nothing_kept/symlinked_folder.c",
            "nothing_kept/folder_of_links.c",
            "nothing_kept/replaced_folder.c",
        ),
    ),
    Hole(
        name="anything is taken for a file",
        edits=(("keep.c", "S_ISREG(about.st_mode) && ", ""),),
        through=("nothing_kept/fifo.c",),
    ),
    Hole(
        name="no bound to the depth of folders",
        edits=(("keep.c", "depth < DEPTH", "depth < 100 * DEPTH"), ("keep.c", "depth >= DEPTH", "false")),
        through=("nothing_kept/deep.c",),
    ),
]
