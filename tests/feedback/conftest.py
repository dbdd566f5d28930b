"""The box and the small package of the grading tests."""

from tests.grading.conftest import box, plus

__all__ = ["box", "plus"]
