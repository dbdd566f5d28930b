from django.apps import AppConfig


class FeedbackConfig(AppConfig):
    name = "judge.feedback"
    label = "feedback"

    def ready(self) -> None:
        """Be told of judgements."""
        from judge.feedback import actions  # noqa: PLC0415 - models are there only now
        from judge.submissions.signals import judged  # noqa: PLC0415

        judged.connect(actions.after_judging, dispatch_uid="feedback")
