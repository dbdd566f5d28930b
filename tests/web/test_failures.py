"""Judge errors on a problem, as its owner sees them at the desk and has them judged again."""

from collections.abc import Callable
from html import unescape

from django.test import Client

from judge.people.models import Course, CourseRole, Membership, User
from judge.submissions.models import Judgement, State, Submission
from problems.models import Problem
from tests.web.conftest import done

Send = Callable[..., Submission]
NOTE = "The output validator output_validator/check.py ended with exit code 77\nTraceback: sam wrote 1 secret"


def test_who_writes_a_problem_sees_its_judge_errors_and_has_them_judged_again(
    as_instructor: Client, twice: Problem, student: User, send: Send
) -> None:
    assert b"judge error" not in as_instructor.get("/desk/twice/versions").content
    failed = [send(student, **done("judge_error", judge_note=NOTE)) for _ in range(2)]
    send(student, **done("wrong_answer", judge_note="said of a wrong one"))
    page = unescape(as_instructor.get("/desk/twice/versions").content.decode())
    assert "2 submissions ended in a judge error" in page
    assert "v1: The output validator output_validator/check.py ended with exit code 77</span>" in page
    for hidden in ("Traceback", "said of a wrong one", "sam wrote", *(f"/submissions/{one.pk}" for one in failed)):
        assert hidden not in page, hidden
    assert as_instructor.get(f"/submissions/{failed[0].pk}/").status_code == 404
    answer = as_instructor.post("/desk/twice/failures", follow=True)
    assert "2 submissions are judged again." in answer.content.decode()
    assert "in a judge error" not in answer.content.decode()
    counting = Judgement.objects.filter(effective__submission__in=failed)
    assert [one.state for one in counting] == [State.QUEUED] * 2
    as_instructor.post("/desk/twice/failures")
    assert Judgement.objects.count() == 5


def test_the_queue_promises_staff_no_list_that_they_do_not_see(
    as_instructor: Client, instructor: User, course: Course, student: User, send: Send
) -> None:
    Membership.objects.get_or_create(user=instructor, course=course, defaults={"role": CourseRole.INSTRUCTOR})
    send(student, **done("judge_error", judge_note=NOTE))
    page = as_instructor.get("/queue/").content.decode()
    assert "1 submission of the last day ended in a judge error" in page
    assert "below" not in page
    assert "None that you may see." in page
