"""The blob store as a folder: the default for `STORAGES["blobs"]`."""

import os
import tempfile
from pathlib import Path

from django.core.files import File
from django.core.files.storage import FileSystemStorage
from django.utils.deconstruct import deconstructible


@deconstructible(path="judge.blobs.folder.BlobFolder")
class BlobFolder(FileSystemStorage):
    """A folder in which a file is there whole or not at all, whoever is killed while it is written."""

    def get_available_name(self, name: str, max_length: int | None = None) -> str:  # noqa: ARG002
        """The name itself: it is a digest, so what is overwritten is the same."""
        return name

    def _save(self, name: str, content: "File[bytes]") -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(0o444)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        return name
