"""What is read of published versions."""

from judge.blobs.versions import VersionUnreadable, package_of, ready_cases

__all__ = ["VersionUnreadable", "package_of", "ready_cases"]
