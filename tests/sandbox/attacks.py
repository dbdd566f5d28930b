"""The attacks that the sandbox was built against, by number, and what proves that each gets what it must.

`proofs` are hostile programs (paths below `tests/sandbox/hostile/`, tried by `test_hostile.py`), other programs below
`tests/sandbox/`, or tests (`path::function`). `holes` are the rows of `holes.py` that switch the defence off; the proof
is seen to fail then (`test_defences.py`, by name). Where there is none, `because` says why: mostly as several defences
hold it, any one of which is enough.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One attack; `holes` or `because` is given."""

    what: str
    proofs: tuple[str, ...]
    holes: tuple[str, ...] = ()
    because: str = ""


def _attack(what: str, proofs: str, *, holes: tuple[str, ...] = (), because: str = "") -> Attack:
    return Attack(what=what, proofs=tuple(proofs.split()), holes=holes, because=because)


_BOXES = "tests/sandbox/test_boxes.py::"
_DEATHS = "tests/sandbox/test_deaths.py::"
_NEIGHBOURS = "tests/sandbox/test_neighbours.py::"
_DEFENCES = "tests/sandbox/test_defences.py::"
_COMPILING = "tests/sandbox/test_compiling.py::"
_TALKS = "tests/grading/test_interactive.py::"
_SOURCES = "tests/grading/test_sources.py::"

PACKAGES = frozenset({65, 67})
"""Archives, checkers: with the problem packages, in their own tests."""
NOT_SOLVED = frozenset({70})
"""Timing channels: said in sandbox/README.md."""

ATTACKS: Mapping[int, Attack] = {
    1: _attack(
        "fork bomb",
        "cpu_time/fork_bomb.c cpu_time/fork_bomb.py processes/forks.c processes/forks.py processes/spawns.js "
        f"{_NEIGHBOURS}test_the_run_after_a_fork_bomb_is_not_slower",
        holes=("CPU is not polled", "no limit of processes"),
    ),
    2: _attack(
        "fork, setsid, and the parent exits",
        f"exited/orphan_burns_on.c cpu_time/orphans.c {_DEATHS}test_nothing_lives_when_the_answer_is_there "
        f"{_DEFENCES}test_without_the_kill_and_the_end_of_its_keeper_an_orphan_outlives_its_run",
        holes=("CPU of the first process alone",),
    ),
    3: _attack(
        "an orphan holds standard output open", "exited/orphan_holds_stdout.c", holes=("a run ends with its output",)
    ),
    4: _attack(
        "a daemon burns CPU after its parent has gone",
        "cpu_time/orphans.c tests/sandbox/test_figures.py::test_cpu_of_orphans_counts",
        holes=("CPU of the first process alone", "CPU is not polled"),
    ),
    5: _attack(
        "CPU spread over many children or threads",
        "cpu_time/many_children.c cpu_time/many_short_lives.c cpu_time/threads.c",
        holes=("CPU of the first process alone",),
    ),
    6: _attack("endless loop", "cpu_time/loop.c cpu_time/loop.py cpu_time/loop.js", holes=("CPU is not polled",)),
    7: _attack("ignores every signal", "wall_time/ignores_signals.c", holes=("wall time is not watched",)),
    8: _attack(
        "sleeps, stops itself, or waits for ever",
        "wall_time/sleeps.c wall_time/sleeps.py wall_time/stops_itself.c wall_time/waits_for_a_pipe.c",
        holes=("wall time is not watched",),
    ),
    9: _attack(
        "takes memory",
        "memory/hog.c memory/hog.py memory/hog.js memory/outside_the_heap.js memory/Outside.java",
        holes=("no memory limit", "kills for memory are not counted"),
    ),
    10: _attack(
        "takes memory in a child, and the first process ends well",
        "memory/in_a_child.c memory/in_a_child.py",
        holes=("kills for memory are not counted",),
    ),
    11: _attack(
        "memory spread over children",
        "memory/spread.c tests/sandbox/test_figures.py::test_64_mb_are_64_mb",
        holes=("no memory limit",),
    ),
    12: _attack(
        "reserves much and touches nothing: allowed",
        "exited/untouched_allocation.c tests/sandbox/test_figures.py::test_memory_not_touched_is_not_used",
        holes=("address space is limited",),
    ),
    13: _attack(
        "shared maps, memory files, files, pipes, sockets and things of the kernel's as memory",
        "memory/shared_map.c memory/memfd.c memory/files.c memory/socket_buffers.c memory/pipes.c memory/mapped.py "
        "memory/page_tables.c memory/kernel_objects.c",
        holes=("no memory limit",),
    ),
    14: _attack(
        "a deep stack: allowed up to the memory limit",
        "legitimate/deep_recursion.cpp memory/deep_recursion.c",
        holes=("a small stack",),
    ),
    15: _attack(
        "floods standard output",
        "output/flood.c output/flood.py output/flood.js output/flood_by_children.c",
        holes=("output is not stopped",),
    ),
    16: _attack(
        "floods standard error",
        "exited/stderr_flood.c output/stderr_flood.c",
        holes=("standard error is not cut", "output is not stopped"),
    ),
    17: _attack("fills its files", "output/fills_its_files.c", holes=("files have no bound together",)),
    18: _attack("makes too many files", "output/too_many_files.c", holes=("files have no bound together",)),
    19: _attack(
        "a file of a terabyte that is one hole",
        f"output/terabyte_file.c {_BOXES}test_a_huge_hole_cannot_be_made",
        holes=("one file has no bound",),
    ),
    20: _attack(
        "deep folders, bad names, many files where files are collected",
        f"nothing_kept/deep.c nothing_kept/bad_names.c {_BOXES}test_what_comes_back_is_bounded",
        holes=("no bound to the depth of folders",),
    ),
    21: _attack(
        "a link where a result should be",
        "nothing_kept/symlink.c nothing_kept/symlinked_folder.c nothing_kept/folder_of_links.c",
        holes=("links are followed on the way out",),
    ),
    22: _attack(
        "a link planted by one step for the next",
        f"{_BOXES}test_a_box_begins_empty exited/leaves_things.c",
        holes=("files stay for the next run",),
    ),
    23: _attack(
        "swaps files while they are collected",
        "nothing_kept/swaps.c nothing_kept/replaced_folder.c",
        holes=("links are followed on the way out",),
    ),
    24: _attack(
        "a pipe or a device where a result should be",
        "nothing_kept/fifo.c nothing_kept/device.c",
        holes=("anything is taken for a file",),
    ),
    25: _attack(
        "changes, links or renames what it was given",
        "exited/changes_given_files.c",
        holes=("given files may be written", "the box is not sticky"),
    ),
    26: _attack(
        "looks for answers and other people's files",
        "exited/looks_around.c exited/looks_around.py exited/looks_around.js exited/Processes.java",
        holes=("more of the host is shown", "all of /proc", "nothing is masked"),
    ),
    27: _attack(
        "finds a descriptor of the judge's",
        "exited/descriptors_and_environment.c exited/looks_around.py",
        holes=("a descriptor stays open",),
    ),
    28: _attack(
        "changes its input",
        f"exited/changes_its_input.c {_DEFENCES}test_without_seals_the_input_can_be_changed",
        because="without seals it is seen to fail by the second of these",
    ),
    29: _attack(
        "finds a secret in the environment",
        f"exited/descriptors_and_environment.c {_BOXES}test_environment_is_added_to_three_fixed_names",
        holes=("a variable comes along",),
    ),
    30: _attack(
        "connects to a server of the host's",
        f"exited/network.c exited/network.py exited/network.js exited/Network.java "
        f"{_NEIGHBOURS}test_servers_of_the_host_are_not_reached "
        f"{_DEFENCES}test_servers_of_the_host_are_kept_away_by_two_defences",
        holes=("no filter",),
    ),
    31: _attack(
        "connects to an abstract name",
        f"exited/network.c {_NEIGHBOURS}test_servers_of_the_host_are_not_reached",
        holes=("no filter",),
    ),
    32: _attack("sockets of odd families", "exited/network.c", holes=("no filter",)),
    33: _attack(
        "asks for names, talks to the world",
        "exited/network.py exited/network.js",
        holes=("no filter",),
    ),
    34: _attack("leaves messages and shared memory", "exited/channels.c", holes=("no filter",)),
    35: _attack("leaves a file in /dev/shm", "exited/leaves_things.c", holes=("files stay for the next run",)),
    36: _attack("leaves a file in /box or /tmp", "exited/leaves_things.c", holes=("files stay for the next run",)),
    37: _attack("leaves a key", "exited/channels.c", holes=("no filter",)),
    38: _attack(
        "locks, leases and watches on files that all read",
        "exited/channels.c",
        holes=("no filter", "what is pretended is done"),
    ),
    39: _attack("io_uring", "exited/system_calls.c exited/system_calls.py", holes=("no filter",)),
    40: _attack(
        "traces or reads its keeper",
        "exited/other_processes.c exited/system_calls.py",
        holes=("no filter", "the program stays root"),
    ),
    41: _attack(
        "kills or stops its keeper",
        "exited/other_processes.c",
        holes=("the program has its keeper's number, and no filter keeps it away",),
    ),
    42: _attack(
        "a signal from itself",
        "signalled/6-abort.c signalled/9-kill.c signalled/15-terminate.c signalled/11-segfault.c",
        holes=("how it ended is lost",),
    ),
    43: _attack("nested name spaces", "exited/namespaces_and_mounts.c", holes=("no filter",)),
    44: _attack(
        "mounts, roots, devices",
        "exited/namespaces_and_mounts.c exited/looks_around.c",
        holes=("root with its rights", "all of /proc"),
    ),
    45: _attack(
        "programs that give rights", "exited/setuid_programs.c", holes=("/usr may be written and gives rights",)
    ),
    46: _attack(
        "writes to the launcher through /proc",
        "exited/other_processes.c exited/looks_around.c",
        holes=("all of /proc",),
    ),
    47: _attack(
        "reaches the host by a folder that was left open",
        "exited/descriptors_and_environment.c exited/looks_around.c exited/forges_a_result.c",
        holes=("a descriptor stays open",),
    ),
    48: _attack("perf, bpf, modules, clocks and more", "exited/system_calls.c", holes=("no filter",)),
    49: _attack(
        "calls of the 32-bit and x32 tables",
        "refused/int80.c refused/int80.py refused/x32.c refused/x32.py",
        holes=("no filter",),
    ),
    50: _attack(
        "devices of the host", "exited/namespaces_and_mounts.c exited/looks_around.c", holes=("root with its rights",)
    ),
    51: _attack(
        "a core dump, to a file or to a handler of the host's",
        "signalled/11-dumps_core.c exited/descriptors_and_environment.c exited/more_than_its_share.c "
        "tests/sandbox/test_guest.py::test_the_sandbox_on_control_groups_v2",
        holes=("dumps go to a handler",),
    ),
    52: _attack("raises limits and priorities, leaves its core", "exited/more_than_its_share.c", holes=("no filter",)),
    53: _attack(
        "leaves its control group",
        "exited/more_than_its_share.c exited/looks_around.c exited/namespaces_and_mounts.c",
        holes=("more of the host is shown",),
    ),
    54: _attack("forges the sandbox's words", "exited/forges_a_result.c", holes=("a descriptor stays open",)),
    55: _attack(
        "imitates exit codes of the launcher",
        f"{_BOXES}test_exit_codes_are_the_programs_own {_BOXES}test_what_cannot_be_executed_is_not_started",
        holes=("a failed exec is told by an exit code",),
    ),
    56: _attack(
        "hides in a handler, changes the clock",
        "cpu_time/signal_handler.c exited/changes_the_clock_it_sees.c exited/system_calls.c",
        holes=("CPU is not polled",),
    ),
    57: _attack(
        "includes a device",
        "compile/memory/include_zero.cpp compile/memory/include_random.cpp",
        holes=("no memory limit",),
    ),
    58: _attack(
        "templates without end",
        "compile/cpu_time/templates.cpp compile/cpu_time/includes_itself_twice.cpp",
        holes=("CPU is not polled",),
    ),
    59: _attack(
        "messages without end",
        "compile/exited/includes_itself.cpp compile/exited/messages.cpp",
        holes=("standard error is not cut",),
    ),
    60: _attack("a huge array", "compile/exited/huge_array.cpp", because="the compiler refuses it by itself"),
    61: _attack(
        "looks for files while it is compiled; processors, plugins, recipes",
        "compile/exited/include_shadow.cpp compile/exited/incbin.cpp compile/exited/looks_for_files.cpp "
        f"{_COMPILING}test_a_processor_of_annotations {_COMPILING}test_a_plugin_of_the_compiler "
        f"{_COMPILING}test_a_recipe_of_make tests/grading/test_programs.py::test_the_compiler_cannot_read_the_host",
        holes=("more of the host is shown, to root",),
    ),
    62: _attack(
        "sources of odd bytes, lengths and names",
        f"compile/exited/nul_and_bom.cpp {_SOURCES}test_a_line_of_ten_megabytes "
        f"{_SOURCES}test_byte_order_mark_and_crlf "
        f"{_SOURCES}test_nul_in_a_source_is_the_compilers_business {_SOURCES}test_a_strange_name_is_only_a_name "
        f"{_SOURCES}test_what_cannot_be_judged_is_said {_BOXES}test_arguments_are_never_a_shell_line",
        because="it is so by its form: arguments are a list and names are made by us; nothing is there to switch off",
    ),
    63: _attack(
        "output of odd bytes and of markup",
        f"{_BOXES}test_any_bytes_pass_through_both_ways tests/web/test_showing.py::test_everything_foreign_is_text",
        because="it is so by its form: bytes are kept as they are and the pages' templates escape",
    ),
    64: _attack(
        "a side of an interactive problem exits, closes, floods, or never flushes",
        f"{_TALKS}test_a_program_that {_TALKS}test_a_program_that_never_flushes {_TALKS}test_a_validator_that "
        f"{_TALKS}test_a_program_that_crashed_first_is_not_saved_by_the_validator "
        f"{_TALKS}test_the_first_fault_decides_every_time",
        because="it is the relay of judge/grading/interact.py that ends the other side, not the launcher; "
        "tests/grading/test_relay.py takes each of its rules away and sees these fail",
    ),
    66: _attack(
        "threads without end",
        "processes/threads.c processes/threads.py processes/Threads.java",
        holes=("no limit of processes",),
    ),
    68: _attack(
        "the worker or the slot is killed",
        f"{_DEATHS}test_kill_9_leaves_no_process_and_no_group "
        f"{_DEATHS}test_groups_of_the_dead_are_swept_and_those_of_the_living_are_not "
        f"{_DEFENCES}test_without_the_chain_of_deaths_a_box_outlives_its_slot "
        "tests/submissions/test_worker.py::test_a_worker_killed_in_the_middle",
        because="without the chain of deaths it is seen to fail by the third of these",
    ),
    69: _attack(
        "the keeper is killed for memory in place of the program",
        f"memory/small_processes_big_files.c {_DEATHS}test_kill_9_of_one_box_is_a_fault_of_that_run_only",
        holes=("the keeper is in the group and the first to go",),
    ),
}

NEWER: Mapping[str, Attack] = {
    "counted by user": _attack(
        "takes signals, pipes and descriptors in flight, which the kernel counts by user, from its neighbours",
        f"{_NEIGHBOURS}test_what_the_kernel_counts_by_user_is_not_taken_from_neighbours "
        f"{_NEIGHBOURS}test_every_run_has_a_user_of_its_own",
        holes=("all boxes have one user",),
    ),
    "device files": _attack(
        "sets times on the host's device files, for others to read",
        "exited/touches_devices.c",
        holes=("device files may be touched",),
    ),
    "access times": _attack(
        "leaves the time at which it read, on an input that others get too",
        f"exited/sees_who_read_before.c {_DEFENCES}test_without_it_a_reader_leaves_a_time_on_the_input",
        because="with access times it is seen to fail by the second of these",
    ),
    "disks": _attack(
        "has all disks of the host written out, files pushed out of memory",
        "exited/asks_for_the_disk.c",
        holes=("what is pretended is done",),
    ),
    "younger calls": _attack(
        "calls younger than the filter; huge pages, merged pages, shared cores, hints and keys on file systems",
        "exited/younger_calls.c",
        holes=("younger calls are let through", "no filter"),
    ),
    "circles": _attack(
        "descriptors in flight through one another, which nobody can close",
        f"exited/circle_of_descriptors.c {_NEIGHBOURS}test_descriptors_that_nobody_can_close_are_given_back",
        because="the kernel's own collector; nothing of ours",
    ),
}
