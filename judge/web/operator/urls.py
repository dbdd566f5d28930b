"""The addresses of the pages for those who keep the judge running."""

from django.urls import path

from judge.web.operator import queue

urlpatterns = [
    path("queue/", queue.queue, name="queue"),
    path("submissions/<int:pk>/again", queue.judge_again, name="judge-again"),
    path("queue/story", queue.fragment, name="queue-story"),
]
