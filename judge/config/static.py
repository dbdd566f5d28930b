"""Static files as a site serves them: named by their content, and compressed when that changes."""

from pathlib import Path
from typing import Any

from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage


class _Once(Compressor):  # type: ignore[misc]
    """Leaves what it has compressed at an earlier start. `.br` is what takes long, and is written before `.gz`."""

    def compress(self, path: str) -> list[str]:
        first, last = Path(f"{path}.br"), Path(f"{path}.gz")
        if first.exists() and last.exists() and last.read_bytes() == self.compress_gzip(Path(path).read_bytes()):
            return [str(first), str(last)]
        return list(super().compress(path))


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """In `STATIC_ROOT`, where `collectstatic` puts them."""

    def create_compressor(self, **options: Any) -> Compressor:
        return _Once(**options)
