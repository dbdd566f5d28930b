from django.apps import AppConfig


class LessonsConfig(AppConfig):
    name = "judge.lessons"
    label = "lessons"
