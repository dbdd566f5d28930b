"""A published problem with a lesson, its figures made in a real box."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from judge.authoring.actions import publish
from problems.models import Problem
from sandbox.box import open_sandbox
from sandbox.contract import Sandbox
from tests.shelf import write_package

LESSON = """\
Count with me.

```trace
run: count.py
in: "{n}"
caption: Counting
choose:
  n: {label: Number, from: 1, to: 30, default: 3}
```
"""
TRACER = """\
import json

n = int(input())
print(json.dumps({"trace": 1, "kind": "board", "columns": 6, "rows": 5}))
for place in range(n):
    print(json.dumps({"do": "visit", "at": f"{place % 6},{place // 6}"}))
"""
PARTS = {"palfrey/lesson.en.md": LESSON, "palfrey/traces/count.py": TRACER}


@pytest.fixture(scope="session")
def box() -> Iterator[Sandbox]:
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    yield box
    box.close()


@pytest.fixture
def counting(db: None, tmp_path: Path, box: Sandbox) -> Problem:
    return publish(write_package(tmp_path / "twice", PARTS), box).problem
