"""The addresses of a student's pages."""

from django.urls import path

from judge.web import live
from judge.web.student import files, languages, lesson, problem, shelf, submission, work

urlpatterns = [
    path("", shelf.problems, name="problems"),
    path("problems/<slug:slug>/", problem.problem, name="problem"),
    path("problems/<slug:slug>/submissions/", problem.attempts, name="attempts"),
    path("problems/<slug:slug>/lesson/", lesson.lesson, name="lesson"),
    path("problems/<slug:slug>/lesson/<int:number>/", lesson.one_figure, name="lesson-figure"),
    path("problems/<slug:slug>/solution/", problem.solution, name="solution"),
    path("problems/<slug:slug>/v<int:number>/<path:name>", files.image, name="statement-image"),
    path("problems/<slug:slug>/files/v<int:number>/samples.zip", files.samples, name="samples"),
    path("problems/<slug:slug>/files/v<int:number>/statement/<str:language>.pdf", files.pdf, name="statement-pdf"),
    path("problems/<slug:slug>/files/v<int:number>/attachments/<path:name>", files.attachment, name="attachment"),
    path(
        "problems/<slug:slug>/files/v<int:number>/solution/<str:language>.pdf", files.solution_pdf, name="solution-pdf"
    ),
    path("problems/<slug:slug>/files/v<int:number>/solution/<path:name>", files.solution_image, name="solution-image"),
    path("submissions/<int:pk>/", submission.submission, name="submission"),
    path("submissions/<int:pk>/story", submission.fragment, name="submission-story"),
    path("submissions/<int:pk>/live", live.submission, name="submission-live"),
    path("submissions/<int:pk>/replay/", submission.replayed, name="submission-replay"),
    path("submissions/<int:pk>/pictures/<int:number>", submission.picture, name="submission-picture"),
    path("submissions/<int:pk>/download", submission.download, name="submission-download"),
    path("submissions/<int:pk>/cases/<int:position>/<str:stream>", submission.output, name="submission-output"),
    path("trials/<int:pk>/story", submission.trial, name="trial-story"),
    path("trials/<int:pk>/live", live.trial, name="trial-live"),
    path("languages/", languages.languages, name="languages"),
    path("work/", work.work, name="work"),
]
