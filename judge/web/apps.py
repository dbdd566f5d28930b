from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "judge.web"
    label = "web"
