"""Students who send steadily, and try again with the same form when it was not taken."""

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from django.db import Error, connections

from judge.authoring.actions import publish
from judge.people.models import Role, User
from judge.submissions import actions
from judge.submissions.models import Judgement, State, Submission
from problems.models import Problem
from sandbox.box import open_sandbox
from tests.chaos.programs import Program
from tests.shelf import write_package

AGAIN_SECONDS = 180.0


def set_up(folder: Path, people: int) -> tuple[Problem, list[User]]:
    """A published problem and students."""
    box = open_sandbox(folder / "publishing")
    try:
        problem = publish(write_package(folder / "twice"), box).problem
    finally:
        box.close()
    User.objects.create_user("staff", "staff@example.org", "long enough", role=Role.ADMIN)
    return problem, [User.objects.create_user(f"student-{number}") for number in range(people)]


class Sender:
    """Sends one program after another in a thread of its own."""

    def __init__(self, problem: Problem, people: Sequence[User], sent: Mapping[str, Program], pace: float) -> None:
        self._problem, self._people, self._sent, self._pace = problem, people, sent, pace
        self.number = 0
        self.over = False
        self.refused = 0
        """How often it had to be sent again."""
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def unfinished(self) -> int:
        """Rows that are not over; while the database is away, some."""
        try:
            return Judgement.objects.filter(state__in=(State.QUEUED, State.RUNNING)).count()
        except Error:
            connections.close_all()
            return -1

    def _run(self) -> None:
        for number, (token, program) in enumerate(self._sent.items()):
            began = time.monotonic()
            while True:
                try:
                    author = self._people[number % len(self._people)]
                    actions.submit(author, self._problem, program.language, {program.name: program.text}, token)
                    break
                except Error:
                    self.refused += 1
                    connections.close_all()
                    time.sleep(0.5)
            self.number = number + 1
            time.sleep(max(0.0, 1 / self._pace - (time.monotonic() - began)))
        self.over = True
        connections.close_all()


def judged_again(failed: Sequence[int], sent: Mapping[str, Program]) -> list[int]:
    """Press "judge again" for these submissions; gives those that are not right after it."""
    staff = User.objects.get(username="staff")
    rows = list(Submission.objects.filter(pk__in=failed))
    for row in rows:
        actions.judge_again(staff, row)
    until = time.monotonic() + AGAIN_SECONDS
    owed = Judgement.objects.filter(submission__in=rows, state__in=(State.QUEUED, State.RUNNING))
    while owed.exists() and time.monotonic() < until:
        time.sleep(0.5)
    return [
        row.pk for row in rows if Judgement.objects.get(effective__submission=row).verdict != sent[row.token].verdict
    ]
