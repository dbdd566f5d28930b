from django.apps import AppConfig


class RegradesConfig(AppConfig):
    name = "judge.regrades"
    label = "regrades"

    def ready(self) -> None:
        from judge.regrades import receivers  # noqa: F401, PLC0415 - models must be there first
