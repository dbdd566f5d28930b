"""Pictures by an author's visualizers: there when all goes well, and else simply not."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.grading.build import Built, build
from judge.grading.draw import IMAGE_BYTES, IMAGES, draw_case, draw_output
from judge.grading.job import ReadyCase
from problems.package.model import Package
from problems.package.read import read
from sandbox.contract import Sandbox
from tests.grading.folder import write_package

SVG = b'<svg xmlns="http://www.w3.org/2000/svg">1 2</svg>'
DRAWS_CASE = """import sys

given, answer, *arguments = sys.argv[1:]
assert arguments == ["--big"], arguments
assert open(answer).read() == "3\\n"
open("testcase.svg", "w").write('<svg xmlns="http://www.w3.org/2000/svg">' + open(given).read().strip() + "</svg>")
"""
CHECKS = """import sys

open(sys.argv[3] + "seen.txt", "w").write("by the validator")
sys.exit(42 if sys.stdin.read().split() == open(sys.argv[2]).read().split() else 43)
"""
DRAWS_OUTPUT = """import sys

given, answer, folder, *arguments = sys.argv[1:]
assert arguments == ["--wide"], arguments
text = sys.stdin.read().strip() + " " + open(folder + "seen.txt").read()
open(folder + "teamimage-02.svg", "w").write("<svg>" + text + "</svg>")
open(folder + "judgeimage.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + b"rest")
open(folder + "teamimage-01.jpg", "wb").write(b"\\xff\\xd8\\xff\\xe0")
sys.exit(7)
"""
SETTINGS = "input_visualizer_args: [--big]\noutput_visualizer_args: [--wide]\n"
FILES = {
    "data/sample/1.yaml": SETTINGS,
    "input_visualizer/draw.py": DRAWS_CASE,
    "output_validator/check.py": CHECKS,
    "output_visualizer/draw.py": DRAWS_OUTPUT,
}


def _case(box: Sandbox, folder: Path, changes: Mapping[str, str]) -> tuple[Package, ReadyCase]:
    reading = read(write_package(folder, {**FILES, **changes}))
    assert reading.package is not None, reading.findings
    *_, built = build(reading.package, box, folder / "built")
    assert isinstance(built, Built)
    return reading.package, built.cases[0]


def test_a_case_is_drawn(box: Sandbox, tmp_path: Path) -> None:
    image = draw_case(*_case(box, tmp_path, {}), box)
    assert image is not None
    assert (image.name, image.media_type, image.content, image.for_team) == (
        "testcase.svg",
        "image/svg+xml",
        SVG,
        False,
    )


def test_an_output_is_drawn_with_what_the_validator_left(box: Sandbox, tmp_path: Path) -> None:
    images = draw_output(*_case(box, tmp_path, {}), b"4\n", box)
    assert [(one.name, one.media_type, one.for_team) for one in images] == [
        ("judgeimage.png", "image/png", False),
        ("teamimage-01.jpg", "image/jpeg", True),
        ("teamimage-02.svg", "image/svg+xml", True),
    ]
    assert images[2].content == b"<svg>4 by the validator</svg>"


def test_what_the_validator_left_may_be_given(box: Sandbox, tmp_path: Path) -> None:
    images = draw_output(*_case(box, tmp_path, {}), b"4\n", box, feedback={"seen.txt": b"earlier"})
    assert images[2].content == b"<svg>4 earlier</svg>"


FAILS = {
    "there is none": None,
    "does not compile": "if\n",
    "crashes": "import os\n\nos.abort()\n",
    "draws nothing": "pass\n",
    "is no picture": "open('testcase.svg', 'w').write('<html><svg></svg></html>')\n",
    "is another picture": "open('testcase.png', 'w').write('<svg></svg>')\n",
    "has entities": "open('testcase.svg', 'w').write('<!DOCTYPE svg [<!ENTITY a \"b\">]><svg>&a;</svg>')\n",
    "is too large": f"open('testcase.svg', 'w').write('<svg>' + 'x' * {IMAGE_BYTES} + '</svg>')\n",
    "has another name": "open('picture.svg', 'w').write('<svg></svg>')\n",
    "never ends": "open('testcase.svg', 'w').write('<svg></svg>')\nwhile True: pass\n",
}


@pytest.mark.parametrize("name", FAILS)
def test_there_is_no_picture_and_no_error_when_it(name: str, box: Sandbox, tmp_path: Path) -> None:
    text = FAILS[name]
    yaml = "problem_format_version: 2025-09\nname: Plus\nuuid: 6d9a3f6c-6a63-4f9f-9a9e-1f8d7f2f4f10\n"
    changes = {"problem.yaml": f"{yaml}limits: {{time_limit: 1, validation_time: 1}}\n"}
    if text is None:
        root = write_package(tmp_path, {**FILES, **changes})
        (root / "input_visualizer/draw.py").unlink()
        (root / "input_visualizer").rmdir()
        reading = read(root)
        assert reading.package is not None
        *_, built = build(reading.package, box, tmp_path / "built")
        assert isinstance(built, Built)
        assert draw_case(reading.package, built.cases[0], box) is None
        return
    package, case = _case(box, tmp_path, {**changes, "input_visualizer/draw.py": text})
    assert draw_case(package, case, box) is None


def test_pictures_are_bounded_in_number(box: Sandbox, tmp_path: Path) -> None:
    many = "import sys\n\nfor n in range(99):\n    open(f'{sys.argv[3]}teamimage-{n:02}.svg', 'w').write('<svg/>')\n"
    many = many.replace("<svg/>", "<svg />")
    images = draw_output(*_case(box, tmp_path, {"output_visualizer/draw.py": many}), b"3\n", box)
    assert [one.name for one in images] == [f"teamimage-{n:02}.svg" for n in range(IMAGES)]
