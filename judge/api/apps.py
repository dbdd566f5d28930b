from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "judge.api"
    label = "api"
