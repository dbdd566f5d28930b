from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "judge.people"
    label = "people"
