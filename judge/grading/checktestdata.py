"""Input validators in Checktestdata: the library of that name makes a Python program of one, in the compiler's box."""

from importlib.resources import files

from judge.grading.language import OUT, Language

ENDING = ".ctd"
LIBRARY = {
    f"checktestdata/{file.name}": file.read_bytes()
    for file in files("checktestdata").iterdir()
    if file.name.endswith(".py")
}
"""What must lie beside a validator to compile it."""
_MADE = f"{OUT}/validate.py"

CHECKTESTDATA = Language(
    id="checktestdata",
    label="Checktestdata",
    code="checktestdata",
    source=f"validate{ENDING}",
    suffixes=(ENDING,),
    compile=("/usr/bin/python3", "-s", "-B", "-m", "checktestdata", "{entry}", "--convert", _MADE),
    interpreted=False,
    run=("/usr/bin/python3", "-s", "-B", f"/box/{_MADE}"),
    version=("/usr/bin/python3", "--version"),
    self_test=b"INT(0, 9) NEWLINE EOF\n",
)
"""Nothing that a student may choose."""
