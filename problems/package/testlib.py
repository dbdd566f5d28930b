"""What stands beside a checker or validator written with testlib and makes it a program of the format.

testlib's checker is called `checker input output answer` and ends with 0 right, 1 wrong, 2 wrong in form, 3 a fault of
its own or of the answer, 7 points, 8 output too short. The format's is called `validator input answer feedback/` with
the output as standard input, and ends with 42 or 43. The lines below take the author's `main` in under another name,
run it in a process of its own, and say what it said in the other language.
"""

_COMMON = r"""
#include "testlib.h"
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

#define main testlib_main
#include "testlib_main.inc"
#undef main

static int said_by_testlib(std::vector<std::string> arguments, const std::string &messages) {
    std::vector<char *> words;
    for (std::string &one : arguments) words.push_back(&one[0]);
    int count = int(words.size());
    words.push_back(nullptr);
    std::cout.flush();
    pid_t child = fork();
    if (child == 0) {
        if (!messages.empty()) {
            int file = open(messages.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
            if (file >= 0) dup2(file, 2);
        }
        exit(testlib_main(count, words.data()));
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}
"""

_CHECKER = r"""
int main(int, char **given) {
    const std::string feedback = given[3], output = feedback + "output.txt", messages = feedback + "judgemessage.txt";
    {
        std::ofstream file(output, std::ios::binary);
        file << std::cin.rdbuf();
    }
    const int code = said_by_testlib({"checker", given[1], output, given[2]}, messages);
    unlink(output.c_str());
    if (code == 0) return 42;
    if (code == 1 || code == 2 || code == 4 || code == 8) return 43;
    if (code == 7 && SCORING) {
        std::ifstream file(messages);
        std::string word, points;
        while (file >> word && word != "points") {}
        if (file >> points) {
            std::ofstream(feedback + "score.txt") << points << "\n";
            return 42;
        }
    }
    return 3;
}
"""

_VALIDATOR = r"""
int main(int count, char **given) {
    const int code = said_by_testlib(std::vector<std::string>(given, given + count), "");
    return code == 0 ? 42 : code == 3 ? 43 : 1;
}
"""


def checker_files(*, scoring: bool) -> dict[str, bytes]:
    """The file beside a checker, which lies there as `testlib_main.inc`. `scoring`: whether it may give points."""
    return {"format.cpp": f"#define SCORING {int(scoring)}\n{_COMMON}{_CHECKER}".encode()}


def validator_files() -> dict[str, bytes]:
    """The file beside a validator, which lies there as `testlib_main.inc`."""
    return {"format.cpp": (_COMMON + _VALIDATOR).encode()}
