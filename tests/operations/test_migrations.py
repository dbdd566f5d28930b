"""Code of the release before goes on working with the tables of this one: workers are replaced one after another."""

import pytest
from django.core.management import CommandError, call_command
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.models import NOT_PROVIDED
from django.utils import timezone

from judge.submissions import fit
from judge.submissions.fit import BREAKS
from judge.submissions.models import Worker

OURS = ("people", "assignments", "problems", "submissions", "lessons", "feedback", "authoring", "grades", "regrades")
BEFORE = {"submissions": 4, "people": 2, "lessons": 2, "feedback": 2, "authoring": 3, "regrades": 2, "problems": 3}
"""Up to these numbers nobody ran Palfrey; in other rooms, up to the first."""
GONE = (
    migrations.DeleteModel,
    migrations.RemoveField,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
    migrations.RunSQL,
)
"""What older code would miss, or what cannot be told."""


def harm(operation: Operation) -> str:
    """Why older code cannot go on after it; empty when it can."""
    if isinstance(operation, GONE):
        return "older code still reads and writes what it takes away"
    if isinstance(operation, migrations.AddField):
        field: models.Field[object, object] = operation.field
        if not field.null and field.db_default is NOT_PROVIDED and not field.many_to_many:
            return "older code writes rows without this column: give it db_default or null"
    if isinstance(operation, migrations.AlterField) and operation.field.unique:
        return "older code may write the same twice"
    if isinstance(operation, migrations.AddConstraint):
        return "older code may write rows that it forbids"
    return ""


def later() -> list[tuple[str, str, migrations.Migration]]:
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return [
        (app, name, migration)
        for (app, name), migration in sorted(known.items())
        if app in OURS and int(name[:4]) > BEFORE.get(app, 1)
    ]


def test_older_code_goes_on() -> None:
    for app, name, migration in later():
        made_here = {one.name_lower for one in migration.operations if isinstance(one, migrations.CreateModel)}
        for operation in migration.operations:
            new_table = getattr(operation, "model_name_lower", None) in made_here
            if not name.endswith(BREAKS) and not new_table:
                assert not harm(operation), f"{app}/{name}: {harm(operation)}, or call it {name}{BREAKS}"


@pytest.mark.parametrize(
    ("operation", "harmful"),
    [
        (migrations.AddField("worker", "more", models.CharField(max_length=8, default="")), True),
        (migrations.AddField("worker", "more", models.CharField(max_length=8, default="", db_default="")), False),
        (migrations.AddField("worker", "more", models.CharField(max_length=8, null=True)), False),
        (migrations.RemoveField("worker", "slots"), True),
        (migrations.RenameField("worker", "slots", "places"), True),
        (migrations.AddIndex("worker", models.Index(fields=["seen"], name="x")), False),
    ],
)
def test_what_is_harmful(operation: Operation, harmful: bool) -> None:
    assert bool(harm(operation)) is harmful


def test_an_upgrade_under_the_feet_of_older_workers(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    Worker.objects.create(name="old", languages=["python3"], queues=["live"], started=now, seen=now)
    monkeypatch.setattr(fit, "_known", lambda: frozenset({("submissions", f"0999_gone{BREAKS}")}))
    with pytest.raises(CommandError, match="Stop the site first"):
        call_command("upgrade")
    monkeypatch.setattr(fit, "_known", lambda: frozenset({("submissions", "0999_more")}))
    assert not fit.breaking_ahead()
