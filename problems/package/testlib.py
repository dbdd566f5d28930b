"""What stands beside a checker or validator written with testlib and makes it a program of the format.

testlib's checker is called `checker input output answer` and ends with 0 right, 1 wrong, 2 wrong in form, 3 a fault of
its own or of the answer, 7 points, 8 output too short. The format's is called `validator input answer feedback/` with
the output as standard input, and ends with 42 or 43. The lines below are compiled with the author's file, which stays
as it is. They run before its `main`: they split the process in two, let `main` go on in one half with the arguments it
wants, and in the other wait for its end and say it in the other language.
"""

_COMMON = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

/* How the program ended, in the half that waits; -1 in the half that goes on; 255 when it crashed. */
static int ended() {
    const pid_t child = fork();
    if (child == 0) return -1;
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) return 255;
    return WEXITSTATUS(status);
}
"""

_CHECKER = r"""
static void copy(int from, int to) {
    static char block[1 << 16];
    for (ssize_t size; (size = read(from, block, sizeof block)) > 0;)
        for (ssize_t done = 0, now; done < size; done += now)
            if ((now = write(to, block + done, size - done)) < 0) _exit(1);
}

static bool points_said(const std::string &messages, const std::string &score) {
    char points[64];
    FILE *file = fopen(messages.c_str(), "r");
    if (!file || fscanf(file, "points %63s", points) != 1) return false;
    fclose(file);
    file = fopen(score.c_str(), "w");
    return file && fprintf(file, "%s\n", points) > 0 && fclose(file) == 0;
}

__attribute__((constructor)) static void between_formats(int count, char **arguments, char **) {
    if (count < 4) _exit(1);
    static std::string output, messages;
    output = std::string(arguments[3]) + "output.txt";
    messages = std::string(arguments[3]) + "judgemessage.txt";
    const std::string score = std::string(arguments[3]) + "score.txt";
    const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) _exit(1);
    copy(0, file);
    close(file);
    const int code = ended();
    if (code < 0) {
        const int said = open(messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (said >= 0) dup2(said, 2);
        arguments[3] = arguments[2];
        arguments[2] = &output[0];
        return;
    }
    unlink(output.c_str());
    if (code == 0) _exit(42);
    if (code == 1 || code == 2 || code == 4 || code == 8) _exit(43);
    if (code == 7 && SCORING && points_said(messages, score)) _exit(42);
    _exit(code == 42 || code == 43 ? 1 : code);
}
"""

_VALIDATOR = r"""
__attribute__((constructor)) static void between_formats() {
    const int code = ended();
    if (code >= 0) _exit(code == 0 ? 42 : code == 3 ? 43 : 1);
}
"""


def checker_files(*, scoring: bool) -> dict[str, bytes]:
    """The file beside a checker. `scoring`: whether it may give points."""
    return {"testlib_format.cpp": f"#define SCORING {int(scoring)}\n{_COMMON}{_CHECKER}".encode()}


def validator_files() -> dict[str, bytes]:
    """The file beside a validator."""
    return {"testlib_format.cpp": (_COMMON + _VALIDATOR).encode()}
