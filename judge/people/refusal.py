"""The one way in which an action says no."""


class Refused(Exception):
    """What was asked is not done. The message is a sentence for the person who asked; nothing was kept."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class TooMany(Refused):
    """It would be done at another time: too much was asked for within a short one."""
