"""A small package of Polygon. Its testlib.h is a stand-in with the few words that its programs say."""

from collections.abc import Mapping

TESTLIB = r"""
#pragma once
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
enum TResult { _ok = 0, _wa = 1, _pe = 2, _fail = 3, _points = 7, _unexpected_eof = 8 };
struct InStream {
    std::istream *stream = nullptr;
    std::ifstream file;
    void open(const char *name) { file.open(name); stream = &file; }
    int readInt() {
        int value;
        if (!(*stream >> value)) { std::fprintf(stderr, "no number\n"); std::exit(this == nullptr ? 3 : fault); }
        return value;
    }
    bool seekEof() { return !(*stream >> std::ws) || stream->eof(); }
    int fault = _pe;
};
static InStream inf, ouf, ans;
static bool registered = false;
struct Guard {
    ~Guard() {
        if (!registered) { std::fprintf(stderr, "not registered\n"); _Exit(_fail); }
    }
};
static Guard guard;
inline void quitf(TResult result, const char *format, ...) {
    va_list list;
    va_start(list, format);
    std::vfprintf(stderr, format, list);
    std::exit(result);
}
inline void quitp(double points, const char *message) {
    std::fprintf(stderr, "points %.10f %s", points, message);
    std::exit(_points);
}
inline void registerTestlibCmd(int count, char *arguments[]) {
    registered = true;
    if (count < 4) std::exit(_fail);
    inf.open(arguments[1]); ouf.open(arguments[2]); ans.open(arguments[3]);
    inf.fault = ans.fault = _fail;
}
inline void registerValidation(int, char **) { registered = true; inf.stream = &std::cin; inf.fault = _fail; }
inline void registerGen(int, char **, int) { registered = true; }
"""
CHECKER = r"""
#include "testlib.h"
using namespace std;
int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    int n = inf.readInt(), given = ouf.readInt(), right = ans.readInt();
    if (given == 77) quitf(_fail, "the answer is wrong");
    if (given == 55) quitp(n, "half of it");
    if (given != right) quitf(_wa, "%d instead of %d", given, right);
    quitf(_ok, "%d", right);
}
"""
VALIDATOR = r"""
#include "testlib.h"
int main(int argc, char *argv[]) {
    registerValidation(argc, argv);
    int n = inf.readInt();
    if (n < 1 || n > 1000) quitf(_fail, "out of range");
}
"""
GENERATOR = r"""
#include "testlib.h"
int main(int argc, char *argv[]) {
    registerGen(argc, argv, 1);
    std::cout << std::atoi(argv[1]) << "\n";
}
"""
XML = """<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="7" short-name="doubles" url="https://example.org/doubles">
  <names><name language="english" value="Doubles"/><name language="russian" value="Удвоение"/></names>
  <statements>
    <statement charset="UTF-8" language="english" path="statements/english/problem.tex" type="application/x-tex"/>
    <statement language="russian" path="statements/.pdf/russian/problem.pdf" type="application/pdf"/>
  </statements>
  <judging cpu-name="some" input-file="" output-file="" run-count="1">
    <testset name="tests">
      <time-limit>1500</time-limit>
      <memory-limit>268435456</memory-limit>
      <test-count>3</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern>
      <answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests>
        <test method="manual" sample="true"/>
        <test method="manual"/>
        <test cmd="gen 500" method="generated"/>
      </tests>
    </testset>
  </judging>
  <files>
    <resources><file path="files/testlib.h" type="h.g++"/></resources>
    <executables><executable><source path="files/gen.cpp" type="cpp.g++17"/></executable></executables>
  </files>
  <assets>
    <checker name="std::ncmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker>
    <validators><validator><source path="files/val.cpp" type="cpp.g++17"/></validator></validators>
    <solutions>
      <solution tag="main"><source path="solutions/main.py" type="python.3"/></solution>
      <solution tag="wrong-answer"><source path="solutions/wa.py" type="python.3"/></solution>
      <solution tag="presentation-error"><source path="solutions/pe.py" type="python.3"/></solution>
      <solution tag="time-limit-exceeded-or-accepted"><source path="solutions/slow.py" type="python.3"/></solution>
      <solution tag="do-not-run"><source path="solutions/broken.py" type="python.3"/></solution>
    </solutions>
  </assets>
  <tags><tag value="math"/><tag value="two pointers"/></tags>
</problem>
"""
FILES: Mapping[str, str | bytes] = {
    "problem.xml": XML,
    "files/testlib.h": TESTLIB,
    "files/check.cpp": CHECKER,
    "files/val.cpp": VALIDATOR,
    "files/gen.cpp": GENERATOR,
    "solutions/main.py": "print(2 * int(input()))\n",
    "solutions/wa.py": "print(input())\n",
    "solutions/pe.py": "print('nothing')\n",
    "solutions/slow.py": "print(2 * int(input()))\n",
    "solutions/broken.py": "x\n",
    "tests/01": "1\r\n",
    "tests/01.a": "2\r\n",
    "tests/02": "21\n",
    "tests/02.a": "42\n",
    "statement-sections/english/legend.tex": "Print twice the number.\n",
    "statement-sections/english/input.tex": "A number.\n",
    "statement-sections/english/output.tex": "Twice that.\n",
    "statement-sections/english/picture.png": b"\x89PNG",
    "statement-sections/english/example.01": "1\n",
    "statements/.pdf/russian/problem.pdf": b"%PDF",
    "doall.bat": "x",
}
_TESTS = XML[XML.index("      <tests>") : XML.index("    </testset>")]
POINTS = XML.replace(
    _TESTS,
    """      <tests>
        <test method="manual" sample="true" group="0" points="0"/>
        <test method="manual" group="1" points="40"/>
        <test cmd="gen 500" method="generated" group="2" points="30"/>
        <test cmd="gen 600" method="generated" group="2" points="30"/>
      </tests>
      <groups>
        <group name="1" points-policy="complete-group" points="40"/>
        <group name="2" points-policy="each-test"><dependencies><dependency group="1"/></dependencies></group>
      </groups>
""",
)
"""The same with points."""
