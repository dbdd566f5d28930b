"""The addresses of the problem desk."""

from django.urls import path

from judge.web import live
from judge.web.instructor import desk, draft, failures, people, regrades, story, studies, submissions, versions

urlpatterns = [
    path("submissions/", submissions.submissions, name="submissions"),
    path("submissions/download", submissions.download, name="submissions-download"),
    path("submissions/regrade", submissions.regrade, name="regrade-new"),
    path("regrades/", regrades.regrades, name="regrades"),
    path("regrades/<int:pk>/", regrades.regrade, name="regrade"),
    path("regrades/<int:pk>/story", regrades.fragment, name="regrade-story"),
    path("regrades/<int:pk>/live", live.regrade, name="regrade-live"),
    path("regrades/<int:pk>/act", regrades.act, name="regrade-act"),
    path("regrades/<int:pk>/table.<str:form>", regrades.table, name="regrade-table"),
    path("desk/", desk.problems, name="desk"),
    path("desk/new", desk.new, name="desk-new"),
    path("desk/guide", desk.guide, name="desk-guide"),
    path("desk/errands/<int:pk>/story", story.fragment, name="errand-story"),
    path("desk/errands/<int:pk>/live", live.errand, name="errand-live"),
    path("desk/errands/<int:pk>/stop", story.stop, name="errand-stop"),
    path("desk/<slug:slug>/", draft.problem, name="desk-problem"),
    path("desk/<slug:slug>/ask/<slug:kind>", story.ask, name="desk-ask"),
    path("desk/<slug:slug>/take", draft.take, name="desk-take"),
    path("desk/<slug:slug>/discard", draft.discard, name="desk-discard"),
    path("desk/<slug:slug>/download", draft.download, name="desk-download"),
    path("desk/<slug:slug>/statement", draft.statement, name="desk-statement"),
    path("desk/<slug:slug>/preview", draft.preview, name="desk-preview"),
    path("desk/<slug:slug>/files/", draft.files, name="desk-files"),
    path("desk/<slug:slug>/files/<path:name>", draft.file, name="desk-file"),
    path("desk/<slug:slug>/raw/<path:name>", draft.raw, name="desk-raw"),
    path("desk/<slug:slug>/limits", draft.limits, name="desk-limits"),
    path("desk/<slug:slug>/cases", versions.cases, name="desk-cases"),
    path("desk/<slug:slug>/verify", versions.verify, name="desk-verify"),
    path("desk/<slug:slug>/checker", studies.checker, name="desk-checker"),
    path("desk/<slug:slug>/strength", studies.strength, name="desk-strength"),
    path("desk/<slug:slug>/strength/add", studies.add_case, name="desk-add-case"),
    path("desk/<slug:slug>/versions", versions.versions, name="desk-versions"),
    path("desk/<slug:slug>/compare", versions.compare, name="desk-compare"),
    path("desk/<slug:slug>/versions/<int:number>/live", versions.live, name="desk-live"),
    path("desk/<slug:slug>/versions/<int:number>/download", versions.download, name="desk-version-download"),
    path(
        "desk/<slug:slug>/versions/<int:number>/cases/<int:position>/<str:what>",
        versions.case_data,
        name="desk-case",
    ),
    path("desk/<slug:slug>/versions/<int:number>/cases/<int:position>.picture", versions.picture, name="desk-picture"),
    path("desk/<slug:slug>/failures", failures.judge_again, name="desk-failures"),
    path("desk/<slug:slug>/people", people.people, name="desk-people"),
    path("desk/<slug:slug>/listed", people.listed, name="desk-listed"),
    path("desk/<slug:slug>/people/<int:pk>/remove", people.remove, name="desk-people-remove"),
]
