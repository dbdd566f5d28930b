from django.apps import AppConfig


class AssignmentsConfig(AppConfig):
    name = "judge.assignments"
    label = "assignments"
