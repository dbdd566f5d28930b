"""Workers that start together try each language once between them."""

from pathlib import Path

import pytest

from judge.grading import toolchain
from judge.grading.language import Language
from judge.grading.languages import LANGUAGES
from judge.grading.toolchain import offered_lately
from sandbox.contract import Sandbox

PYTHON, MISSING = LANGUAGES["python3"], LANGUAGES["pypy3"]


def test_what_one_has_tried_others_believe(box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    real = toolchain._tried

    def counted(language: Language, box: Sandbox) -> str | None:
        tried.append(language.id)
        return None if language is MISSING else real(language, box)

    monkeypatch.setattr(toolchain, "_tried", counted)
    file = tmp_path / "cache/toolchains.json"
    first = offered_lately(box, [PYTHON, MISSING], file)
    assert list(first) == ["python3"]
    assert (first["python3"].version.split()[0], len(first["python3"].tools)) == ("Python", 64)
    assert offered_lately(box, [PYTHON, MISSING], file) == first
    assert tried == ["python3", "pypy3", "pypy3"], "it may have been installed meanwhile"
    monkeypatch.setattr(toolchain, "fingerprint", lambda _: "other files")
    assert offered_lately(box, [PYTHON], file) == first
    monkeypatch.setattr(toolchain, "LATELY_SECONDS", 0)
    assert offered_lately(box, [PYTHON], file) == first
    assert tried[3:] == ["python3", "python3"]
    file.write_text("{", encoding="utf-8")
    assert offered_lately(box, [PYTHON], file) == first
