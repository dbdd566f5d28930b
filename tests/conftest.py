"""What tests of several rooms need: a real broker of one's own, people, a problem."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.test import TransactionTestCase
from django.utils import timezone, translation

from judge.assignments.models import Assignment, AssignmentProblem
from judge.authoring.actions import publish, upload
from judge.people.models import Course, CourseRole, Membership, Role, User
from judge.submissions.tasks import close_box
from problems.models import Case, Problem, Version
from problems.package.archive import pack
from sandbox.box import open_sandbox
from tests.broker import Broker
from tests.shelf import write_package
from tests.together import dear_first

SUMS = Path(__file__).parent / "authoring/sums"


def pytest_configure(config: pytest.Config) -> None:
    if config.option.markexpr != "not byname":
        config.pluginmanager.import_plugin("schemathesis.pytest.plugin")  # slow to load, and for one test by name


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    items[:] = dear_first(items, [item.nodeid for item in items], processes)


@pytest.fixture(scope="module", autouse=True)
def any_processor() -> Iterator[None]:
    """Judging in this process holds it to one processor: after each file it may use all again."""
    yield
    close_box()


@pytest.fixture(scope="session", autouse=True)
def quick_flush() -> Iterator[None]:
    """After a test with real transactions only what it has written is deleted, and nothing made anew.

    That is much quicker than emptying every table and writing the types and permissions of all models again.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(TransactionTestCase, "_fixture_teardown", lambda _: _delete_rows())
        yield


def _delete_rows() -> None:
    stay = {"django_content_type", "auth_permission"}
    quote = connection.ops.quote_name
    tables = set(connection.introspection.django_table_names(only_existing=True, include_views=False)) - stay
    any_row = " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {quote(name)})" for name in tables)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(any_row)
        for (name,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {quote(name)}")


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    """Nothing of another test is remembered: no row, no reader's language."""
    cache.clear()
    translation.deactivate()


@pytest.fixture(scope="session")
def running_broker() -> Iterator[Broker]:
    broker = Broker()
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def broker(running_broker: Broker) -> Broker:
    """A real, empty Valkey at `settings.REDIS_URL`. A test may stop it; it is up again for the next one."""
    running_broker.start()
    running_broker.empty()
    return running_broker


def person(name: str, role: Role = Role.STUDENT) -> User:
    return User.objects.create_user(
        name, f"{name}@example.org", "long enough", role=role, is_superuser=role == Role.ADMIN
    )


@pytest.fixture
def student(db: None) -> User:
    return person("sam")


@pytest.fixture
def classmate(db: None) -> User:
    return person("kim")


@pytest.fixture
def instructor(db: None) -> User:
    return person("ines", Role.INSTRUCTOR)


@pytest.fixture
def admin(db: None) -> User:
    return person("ada", Role.ADMIN)


@pytest.fixture
def course(student: User, classmate: User, instructor: User) -> Course:
    """Sam and Kim are its students, Ines its instructor."""
    course = Course.objects.create(name="Algorithms", slug="algorithms", time_zone="Europe/Bucharest")
    for user, role in (
        (student, CourseRole.STUDENT),
        (classmate, CourseRole.STUDENT),
        (instructor, CourseRole.INSTRUCTOR),
    ):
        Membership.objects.create(user=user, course=course, role=role)
    return course


def assign(course: Course, *problems: Problem, **columns: Any) -> Assignment:
    """An assignment that is open since yesterday, for another week; 10 points for each problem."""
    now = timezone.now()
    columns = {
        "title": "Graphs",
        "published": now - timedelta(days=2),
        "opens": now - timedelta(days=1),
        "deadline": now + timedelta(days=7),
    } | columns
    assignment = Assignment.objects.create(course=course, **columns)
    for position, problem in enumerate(problems, start=1):
        AssignmentProblem.objects.create(assignment=assignment, problem=problem, points=10, position=position)
    return assignment


@pytest.fixture
def paper_problem(db: None) -> Problem:
    """A problem of rows only, for tests in which nothing is judged: one sample and two secret cases."""
    problem = Problem.objects.create(slug="paper", uuid="f1c0ffee-0000-4000-8000-000000000001")
    version = Version.objects.create(
        problem=problem,
        number=1,
        digest="0" * 64,
        archive="0" * 64,
        titles={"en": "Paper"},
        facts={"code_bytes": 128 << 10, "languages": None},
    )
    for position, name in enumerate(("sample/1", "secret/1", "secret/2"), start=1):
        Case.objects.create(
            version=version,
            position=position,
            group=name.partition("/")[0],
            name=name,
            input="0" * 64,
            answer="0" * 64,
            input_bytes=1,
        )
    problem.live = version
    problem.save()
    return problem


@pytest.fixture
def sums(instructor: User) -> Problem:
    """A problem in the making; nothing is made of it yet."""
    return upload(instructor, pack(SUMS), "sums.zip").problem


@pytest.fixture
def twice(transactional_db: None, tmp_path: Path) -> Problem:
    """A real, published problem; programs for it are in `tests.shelf`."""
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    try:
        return publish(write_package(tmp_path / "twice"), box).problem
    finally:
        box.close()
