"""Static files are compressed once, and again when they are others; and sent piece by piece."""

import gzip
from pathlib import Path
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.test import AsyncClient, Client

from judge.config.static import StaticFiles


def gathered(place: Path) -> set[str]:
    """What `collectstatic` makes of the file that lies there: names."""
    storage = StaticFiles(location=str(place), base_url="/static/")
    done = storage.post_process({"page.css": (storage, "page.css")})
    return {name for _name, name, _processed in done if name is not None}


def test_only_what_has_changed_is_compressed_again(tmp_path: Path) -> None:
    page = tmp_path / "page.css"
    page.write_text("p { color: red }\n" * 99)
    names = gathered(tmp_path)
    packed = sorted(name for name in names if name.endswith((".br", ".gz")))
    assert len(packed) == 4, "the file by its own name and by that of its content, each in two ways"
    for name in packed:
        if name.endswith(".br"):
            (tmp_path / name).write_bytes(b"as it was")
    assert gathered(tmp_path) == names
    assert [(tmp_path / name).read_bytes() for name in packed if name.endswith(".br")] == [b"as it was"] * 2
    page.write_text("p { color: green }\n" * 99)
    assert gathered(tmp_path) > {"page.css.br", "page.css.gz"}
    assert gzip.decompress((tmp_path / "page.css.gz").read_bytes()) == page.read_bytes()
    assert (tmp_path / "page.css.br").read_bytes() != b"as it was"


def test_a_long_file_is_sent_in_pieces_and_read_as_they_are_asked_for() -> None:
    file = max((settings.BASE_DIR / "judge/web/static/web").glob("editor*.js"), key=lambda one: one.stat().st_size)

    @async_to_sync
    async def pieces() -> list[bytes]:
        response: Any = await AsyncClient().get(f"/static/web/{file.name}")
        return [piece async for piece in response.streaming_content]

    sent = pieces()
    assert (len(sent) > 1, b"".join(sent)) == (True, file.read_bytes())
    assert b"".join(Client().get(f"/static/web/{file.name}")) == file.read_bytes(), "without ASGI, too"
