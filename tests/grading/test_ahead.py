"""What was made ahead makes compiling faster and changes no byte of what comes of it."""

import os
import re
import shutil
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from judge.grading.ahead import MadeAhead
from judge.grading.compile import compile_files
from judge.grading.executable import Compilation
from judge.grading.kept import Kept
from judge.grading.language import AHEAD, ENVIRONMENT, OUT, Language
from judge.grading.languages import LANGUAGES
from judge.grading.workshop import Workshop
from sandbox.contract import Outcome, Quota, Run, Running, Sandbox
from tests.grading.conftest import LIMITS

CPP = [language for language in LANGUAGES.values() if language.code == "cpp"]
CPP17, JAVA = LANGUAGES["cpp17"], LANGUAGES["java"]
HERE = replace(LIMITS, compile_seconds=60, compile_memory_bytes=1 << 30)

BODY = "int main() { std::vector<int> v{3, 1, 2}; std::sort(v.rbegin(), v.rend()); std::cout << v[0] << std::endl; }\n"
FIRST = f"#include <bits/stdc++.h>\n{BODY}"
MANY = """#include <bits/stdc++.h>
using namespace std;
template <class T> T square(T x) { return x * x; }
struct Sets {
    vector<int> parent;
    explicit Sets(int n) : parent(n) { iota(parent.begin(), parent.end(), 0); }
    int find(int x) { return parent[x] == x ? x : parent[x] = find(parent[x]); }
};
namespace { struct Hidden { virtual ~Hidden() {} int value = __COUNTER__; }; Hidden* hidden = new Hidden; }
int main() {
    Sets sets(10);
    unordered_map<string, int> seen;
    string word;
    while (cin >> word) seen[word]++;
    priority_queue<pair<int, string>> heap;
    for (auto& each : seen) heap.push({each.second, each.first});
    mt19937 random(3);
    shuffle(sets.parent.begin(), sets.parent.end(), random);
    function<int(int)> f = [&](int x) { return x ? f(x - 1) : sets.find(3); };
    try { throw runtime_error("x"); } catch (exception& error) { cerr << error.what() << __FILE__ << __LINE__; }
    assert(hidden->value >= 0);
    cout << fixed << setprecision(3) << square(2.5) << f(3) << heap.size();
}
"""
USED = {
    "include first": FIRST,
    "after a comment": f"// mine\n/* and\n more */ #include <bits/stdc++.h>\n{BODY}",
    "with quotes": f'#include "bits/stdc++.h"\n{BODY}',
    "twice": f"#include <bits/stdc++.h>\n#include <bits/stdc++.h>\n#include <vector>\n{BODY}",
    "a macro that is not in it": f"#define MAXIMUM 100\n#define pb push_back\n#include <bits/stdc++.h>\n{BODY}",
    "much of the library": MANY,
    "Windows lines": FIRST.replace("\n", "\r\n"),
    "a warning": '#include <bits/stdc++.h>\nint f() {}\nint main() { printf("%d\\n", 3L); std::auto_ptr<int> p; }\n',
    "an error": "#include <bits/stdc++.h>\nint main() { undeclared(3); std::vector<int> v; v.foo(); }\n",
    "an error in the library": "#include <bits/stdc++.h>\nstruct A {};\nint main() { std::set<A>().insert(A{}); }\n",
    "no main": "#include <bits/stdc++.h>\nint f() { return 1; }\n",
}
NOT_USED = {
    "another include before it": f"#include <iostream>\n#include <bits/stdc++.h>\n{BODY}",
    "a declaration before it": f"int early;\n#include <bits/stdc++.h>\n{BODY}",
    "a word of it redefined": f"#define vector deque\n#include <bits/stdc++.h>\n{BODY}",
    "a keyword redefined": f"#define int long long\n#include <bits/stdc++.h>\nsigned {BODY[4:]}",
    "NDEBUG": "#define NDEBUG\n#include <bits/stdc++.h>\nint main(int n, char**) { assert(n > 5); }\n",
    "a debugging library": f"#define _GLIBCXX_DEBUG\n#include <bits/stdc++.h>\n{BODY}",
    "optimized otherwise": f'#pragma GCC optimize("O3,unroll-loops")\n#include <bits/stdc++.h>\n{MANY}',
    "for another processor": f'#pragma GCC target("avx2,bmi2,popcnt")\n#include <bits/stdc++.h>\n{BODY}',
    "packed": f"#pragma pack(1)\n#include <bits/stdc++.h>\n{BODY}",
    "an error after that": "#define NDEBUG\n#include <bits/stdc++.h>\nint main() { std::sort(1, 2); }\n",
}
OFTEN = {"include first", "an error in the library", "NDEBUG"}
"""In every gate; the others by name, because each takes seconds."""
SEVERAL = {
    "main.cpp": b'#include <bits/stdc++.h>\n#include "other.h"\nint main() { std::cout << twice(21) << std::endl; }\n',
    "other.cpp": b"#include <bits/stdc++.h>\nint twice(int x) { return std::max(x, 0) * 2; }\n",
    "other.h": b"int twice(int x);\n",
}
JAVA_PROGRAM = b"""import java.util.*;
public class Sum {
    interface Twice { int of(int x); }
    public static void main(String[] a) {
        Scanner in = new Scanner(System.in); Twice t = x -> 2 * x; List<Integer> l = new ArrayList<>();
        while (in.hasNextInt()) l.add(t.of(in.nextInt())); System.out.println(l.stream().mapToInt(x -> x).sum());
    }
}
"""


class Counting:
    """A real box that remembers what was asked of it."""

    def __init__(self, box: Sandbox) -> None:
        self.box = box
        self.runs: list[Run] = []

    def start(self, run: Run) -> Running:
        self.runs.append(run)
        return self.box.start(run)

    def run(self, run: Run) -> Outcome:
        return self.start(run).wait()

    def close(self) -> None:
        self.box.close()

    def helped(self) -> list[bool]:
        """For each compile, whether it had something that was made ahead."""
        return [any(name.startswith(AHEAD) for name in run.files) for run in self.runs if OUT in run.writable]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, box: Sandbox) -> MadeAhead:
    """Made once for all test processes."""
    base = tmp_path_factory.getbasetemp()
    made = MadeAhead((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "ahead")
    assert made.make([CPP17, JAVA, LANGUAGES["c17"]], box) == []
    return made


def compiled(language: Language, files: Mapping[str, bytes], box: Sandbox, made: MadeAhead | None) -> Compilation:
    return compile_files(language, files, HERE, box, include={}, workshop=Workshop(kept=Kept(), ahead=made))


def same(language: Language, files: Mapping[str, bytes], box: Sandbox, made: MadeAhead) -> Counting:
    """Compiles with and without, and compares all there is to compare."""
    counting = Counting(box)
    helped, plain = compiled(language, files, counting, made), compiled(language, files, box, None)
    assert (helped.executable and helped.executable.files) == (plain.executable and plain.executable.files)
    assert (helped.verdict, helped.note) == (plain.verdict, plain.note)
    assert _read(helped.log) == _read(plain.log)
    return counting


def _read(log: bytes) -> bytes:
    """Names of temporary files are random with and without."""
    return re.sub(rb"/cc\w{6}\.o", b"/X.o", log)


def named(programs: Mapping[str, str]) -> list[ParameterSet]:
    return [pytest.param(name, marks=() if name in OFTEN else pytest.mark.byname, id=name) for name in programs]


def one(text: str) -> dict[str, bytes]:
    return {"main.cpp": text.encode()}


@pytest.mark.parametrize(
    "language",
    [pytest.param(each, marks=() if each is CPP17 else pytest.mark.byname, id=each.id) for each in CPP],
)
def test_every_standard_has_a_header_that_is_taken(language: Language, box: Sandbox, made: MadeAhead) -> None:
    assert made.make([language], box) == []
    assert same(language, one(MANY), box, made).helped() == [True]
    assert _headers(language, FIRST, box, made)[0] == b"! /box/.ahead/bits/stdc++.h.gch"


def _headers(language: Language, text: str, box: Sandbox, made: MadeAhead) -> list[bytes]:
    """What g++ says of the headers it takes (`!`) and does not take (`x`)."""
    assert language.ahead
    header = made.file(language, one(text), box, memory_bytes=1 << 30)
    assert header
    run = Run(
        argv=(language.compile[0], *language.ahead.flags, "-H", *language.compile[1:-4], "-fsyntax-only", "main.cpp"),
        files={**one(text), f"{AHEAD}/{language.ahead.made}": header},
        env=ENVIRONMENT,
        quota=Quota(cpu_seconds=30, wall_seconds=90, memory_bytes=1 << 30),
    )
    return box.run(run).stderr.splitlines()


@pytest.mark.parametrize("name", named(USED))
def test_with_the_header_the_same(name: str, box: Sandbox, made: MadeAhead) -> None:
    same(CPP17, one(USED[name]), box, made)
    assert b"! /box/.ahead/bits/stdc++.h.gch" in _headers(CPP17, USED[name], box, made)


@pytest.mark.parametrize("name", named(NOT_USED))
def test_where_the_header_does_not_fit_the_same(name: str, box: Sandbox, made: MadeAhead) -> None:
    same(CPP17, one(NOT_USED[name]), box, made)
    assert b"! /box/.ahead/bits/stdc++.h.gch" not in _headers(CPP17, NOT_USED[name], box, made)


def test_several_files_the_same(box: Sandbox, made: MadeAhead) -> None:
    assert same(CPP17, SEVERAL, box, made).helped() == [True]


def test_messages_that_would_read_differently_are_had_again(box: Sandbox, made: MadeAhead) -> None:
    program = one(USED["an error in the library"])
    assert same(CPP17, program, box, made).helped() == [True, False]
    assert CPP17.ahead
    careless = replace(CPP17, ahead=replace(CPP17.ahead, betrayed_by=()))
    assert compiled(careless, program, box, made).log != compiled(CPP17, program, box, None).log


def test_a_second_include_finds_the_header_of_the_system(box: Sandbox, made: MadeAhead) -> None:
    assert same(CPP17, one(USED["twice"]), box, made).helped() == [True, False]


def test_only_who_asks_for_the_header_gets_it(box: Sandbox, made: MadeAhead) -> None:
    assert same(
        CPP17, one(f"#include <algorithm>\n#include <iostream>\n#include <vector>\n{BODY}"), box, made
    ).helped() == [False]
    assert made.file(LANGUAGES["c17"], one(FIRST), box, memory_bytes=1 << 30) is None


def test_with_little_memory_there_is_no_header(box: Sandbox, made: MadeAhead) -> None:
    assert made.file(CPP17, one(FIRST), box, memory_bytes=255 << 20) is None
    assert made.file(CPP17, one(FIRST), box, memory_bytes=256 << 20)


def test_limits_hold_with_the_header(box: Sandbox, made: MadeAhead) -> None:
    bomb = "#include <bits/stdc++.h>\ntemplate <int n> struct A { A<n + 1> a, b; };\nA<0> a; int main() {}\n"
    array = "#include <bits/stdc++.h>\nchar a[1 << 30] = {1}; int main() {}\n"
    tight = replace(HERE, compile_seconds=1)
    counting = Counting(box)
    workshop = Workshop(kept=Kept(), ahead=made)
    for text in (bomb + "#include __FILE__\n", array):
        begun = time.monotonic()
        stopped = compile_files(CPP17, one(text), tight, counting, include={}, workshop=workshop)
        assert stopped.executable is None
        assert time.monotonic() - begun < 20
    assert True in counting.helped()


@pytest.mark.parametrize("size", [20_000, *(pytest.param(size, marks=pytest.mark.byname) for size in (0, 50_000_000))])
def test_a_broken_header_harms_nobody(size: int, box: Sandbox, made: MadeAhead, tmp_path: Path) -> None:
    broken = MadeAhead(tmp_path)
    (whole,) = made._folder.glob("cpp17-*")
    with whole.open("rb") as source, (tmp_path / whole.name).open("wb") as target:
        target.write(source.read(size))
    program = f"#define ALL <bits/stdc++.h>\n#include ALL\n{BODY}"  # g++ shows the line, which does not name the header
    assert same(CPP17, one(program), box, broken).helped()[0]


def test_javac_with_its_classes_makes_the_same(box: Sandbox, made: MadeAhead) -> None:
    assert JAVA.ahead
    assert same(JAVA, {"Sum.java": JAVA_PROGRAM}, box, made).helped() == [True]
    assert same(JAVA, {"Sum.java": JAVA_PROGRAM.replace(b"new Scanner", b"Scanner")}, box, made).helped() == [True]
    archive = made.file(JAVA, {"a": b""}, box, memory_bytes=1 << 30)
    assert archive
    run = Run(
        argv=(*JAVA.compile[:1], JAVA.ahead.flags[0], "-J-Xlog:class+load", *JAVA.compile[1:4], "--version"),
        files={f"{AHEAD}/{JAVA.ahead.made}": archive},
        env=ENVIRONMENT,
        quota=Quota(cpu_seconds=30, wall_seconds=90, memory_bytes=1 << 30),
    )
    assert box.run(run).stdout.count(b"shared objects file (top)") > 100


def test_javac_says_nothing_of_classes_that_do_not_fit(box: Sandbox, made: MadeAhead, tmp_path: Path) -> None:
    (whole,) = made._folder.glob("java-*")
    shutil.copyfile(whole, tmp_path / whole.name)
    with (tmp_path / whole.name).open("r+b") as archive:
        archive.seek(100)
        archive.write(b"not what you expect")
    assert JAVA.ahead
    files = {"Sum.java": JAVA_PROGRAM}
    assert same(JAVA, files, box, MadeAhead(tmp_path)).helped() == [True]
    talkative = replace(JAVA, ahead=replace(JAVA.ahead, flags=(*JAVA.ahead.flags[:1], "-J-Xlog:cds"), betrayed_by=()))
    assert compiled(talkative, files, box, MadeAhead(tmp_path)).log != compiled(JAVA, files, box, None).log


def test_a_javac_that_crashes_on_its_classes_is_asked_again_without(
    box: Sandbox, made: MadeAhead, tmp_path: Path
) -> None:
    (whole,) = made._folder.glob("java-*")
    (tmp_path / whole.name).write_bytes(whole.read_bytes()[: 5 << 20])
    assert same(JAVA, {"Sum.java": JAVA_PROGRAM}, box, MadeAhead(tmp_path)).helped() == [True, False]


def test_it_is_made_once_however_many_ask(box: Sandbox, tmp_path: Path) -> None:
    boxes = [Counting(box) for _ in range(3)]
    threads = [threading.Thread(target=MadeAhead(tmp_path).make, args=([JAVA], each)) for each in boxes]
    assert MadeAhead(tmp_path).lacking([JAVA, CPP17, LANGUAGES["c17"]], box) == [JAVA, CPP17]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert JAVA.ahead
    assert sum(run.argv == JAVA.ahead.make for each in boxes for run in each.runs) == 1
    assert [path.stat().st_mode & 0o777 for path in tmp_path.glob("java-*")] == [0o555]
    assert MadeAhead(tmp_path).lacking([JAVA], box) == []


def test_what_another_compiler_had_made_goes_after_a_day(box: Sandbox, tmp_path: Path) -> None:
    old, new, begun, other = (tmp_path / name for name in ("java-old", "java-new", ".new-killed", "cpp17-old"))
    for path in (old, new, begun, other):
        path.touch()
        if path != new:
            os.utime(path, (0, 0))
    assert MadeAhead(tmp_path).make([JAVA], box) == []
    assert (old.exists(), new.exists(), begun.exists(), other.exists()) == (False, True, False, True)


def test_where_nothing_can_be_made_compiling_works_as_before(box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    made = MadeAhead(tmp_path / "file" / "ahead")
    (sentence,) = made.make([JAVA], box)
    assert "cannot be written" in sentence
    assert same(CPP17, one(FIRST), box, made).helped() == [False]
    assert JAVA.ahead
    missing = replace(JAVA, ahead=replace(JAVA.ahead, make=("/usr/bin/no-such-compiler",)))
    (sentence,) = MadeAhead(tmp_path / "ahead").make([missing], box)
    assert "not_started" in sentence
    assert not list((tmp_path / "ahead").glob("java-*"))
