"""A PDF that might do more than show pages is told from one that only shows them."""

import zlib
from pathlib import Path

import pytest

from problems.package import pdf

PAGES = b"%PDF-1.5\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction[3 0 R/Fit]>>endobj\n"
SCRIPT = b"<</S/JavaScript/JS(app.alert\\(1\\))>>"


def packed(content: bytes, about: bytes = b"/Type/ObjStm/N 1/First 4/Filter/FlateDecode") -> bytes:
    data = zlib.compress(content)
    return b"7 0 obj<<%b/Length %d>>stream\r\n%b\nendstream endobj\n" % (about, len(data), data)


FLATE = b"/Filter/FlateDecode"
TEXT = b"BT /F1 12 Tf (/JS in the text of a page) Tj ET"
PICTURE = b"8 0 obj<</Subtype/Image/Filter/DCTDecode>>stream\n\xff\xd8\xff\xe0 picture\nendstream endobj\n"
DIGITS = b"7 0 obj<</Type/ObjStm/First 4/Filter/ASCIIHexDecode>>stream\n3c3c2f4a53\nendstream endobj"
ONLY_SHOWS = {"pages": b"", "packed pages": packed(b"4 0 <</Type/Page/Contents 5 0 R>>"), "picture": PICTURE}
MAY_ACT = {
    "script": b"9 0 obj" + SCRIPT + b"endobj",
    "numbered letters": b"9 0 obj" + SCRIPT.replace(b"JavaScript/JS", b"#4aavaScript/J#53") + b"endobj",
    "packed": packed(b"4 0 " + SCRIPT),
    "packed, said far before": packed(b"4 0 " + SCRIPT, b"/Length2 9" * 5000 + FLATE),
    "as digits": DIGITS,
    "locked": b"trailer<</Encrypt 9 0 R>>",
    "unsure": packed(TEXT, FLATE),
}


@pytest.mark.parametrize("name", [*ONLY_SHOWS, *MAY_ACT])
def test_what_acts_or_hides(name: str, tmp_path: Path) -> None:
    content, expected = PAGES + (ONLY_SHOWS | MAY_ACT)[name], name in MAY_ACT
    assert pdf.acts(content) is expected
    (tmp_path / "a.pdf").write_bytes(content)
    assert pdf.shows_only(tmp_path / "a.pdf") is not expected


def test_what_unpacks_without_end_is_not_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "INFLATED_BYTES", 1000)
    assert pdf.acts(PAGES + packed(b"0" * 1001))
    assert not pdf.acts(PAGES + packed(b"0" * 900))
