"""`./palfrey demo`: a course to look at."""

import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from judge.operations.demo import course as demo
from judge.operations.demo import people
from judge.people.models import Course
from judge.people.refusal import Refused

FILE = "demo-password.txt"
LOOK_SECONDS = 2.0
STUDENTS = 30


class Command(BaseCommand):
    help = (
        "Fill a course with people, a term of assignments and programs right and wrong, which the workers of the site "
        "judge after everything else."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--students", type=int, default=STUDENTS, help=f"how many ({STUDENTS})")
        parser.add_argument("--wait", action="store_true", help="until everything is judged, and say how long it took")
        parser.add_argument(
            "--remove", action="store_true", help="take it away whole: course, people, and all that was sent in it"
        )

    def handle(self, *_: Any, students: int, wait: bool, remove: bool, **_options: Any) -> None:
        file = settings.VAR / FILE
        try:
            if remove:
                number = demo.remove()
                file.unlink(missing_ok=True)
                self.stdout.write(f"The course is gone, with its people and {number} programs.")
                return
            shown = demo.there()
            if shown is None:
                shown = demo.fill(students, demo.new_password(file))
            else:
                self.stdout.write("The course is there already; --remove takes it away.")
        except Refused as refusal:
            raise CommandError(refusal.message) from None
        self._tell(shown, demo.kept_password(file))
        if wait:
            self._wait(shown)

    def _tell(self, course: Course, password: str | None) -> None:
        progress = demo.progress(course)
        members = course.memberships.count()
        self.stdout.write(f"{course}: {members} people, {progress.total} programs, {progress.done} of them judged.")
        names = (people.INSTRUCTOR, people.ASSISTANTS[0], people.student(1))
        self.stdout.write(f"Sign in as {', '.join(names)} or any other of them.")
        told = password or f"was changed, or is on the machine where this was begun, in {FILE}"
        self.stdout.write(f"Password of each: {told}")
        self.stdout.write(f"The course is at /courses/{course.slug}/")

    def _wait(self, course: Course) -> None:
        begun, at = time.monotonic(), demo.progress(course)
        while at.done < at.total:
            time.sleep(LOOK_SECONDS)
            at = demo.progress(course)
        self.stdout.write(f"All {at.total} programs are judged, after {time.monotonic() - begun:.0f} s of waiting.")
