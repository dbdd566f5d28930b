from django.apps import AppConfig


class GradesConfig(AppConfig):
    name = "judge.grades"
    label = "grades"
