"""A problem in the making, by the actions of the desk; errands are done here and now, in a real sandbox."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings

from judge.authoring import errands
from judge.authoring.models import Errand
from judge.submissions.models import State
from judge.submissions.tasks import close_box, work
from sandbox.box import open_sandbox
from sandbox.contract import Sandbox

Do = Callable[[Errand], Errand]


@pytest.fixture(scope="module")
def box() -> Iterator[Sandbox]:
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    yield box
    box.close()


@pytest.fixture
def do(db: None) -> Iterator[Do]:
    """Does an errand as a worker would, and gives it as it is afterwards."""

    def doing(errand: Errand) -> Errand:
        assert work(Errand, errand.pk, errands.run, "here")
        errand.refresh_from_db()
        assert errand.state in (State.DONE, State.ABANDONED, State.QUEUED)
        return errand

    yield doing
    close_box()
