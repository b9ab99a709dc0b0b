"""What kind of file something is, by how it begins and what it is called. Pure.

A name promises, the content decides: a file called `.png` that does not begin like one is not
announced as a picture, since a client would show it as such.
"""

import codecs
import mimetypes

_UNKNOWN = "application/octet-stream"
_TEXT = "text/plain"
_BEGINNINGS: dict[bytes, str] = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"%PDF-": "application/pdf",
    b"PAR1": "application/vnd.apache.parquet",
    b"\x1f\x8b": "application/gzip",
    b"SQLite format 3\0": "application/vnd.sqlite3",
}
_PROMISED = frozenset({*_BEGINNINGS.values(), "image/webp"})
# Without the machine's own tables: the same file has the same type everywhere.
_NAMES = mimetypes.MimeTypes(filenames=())


def detect_media_type(name: str, beginning: bytes) -> str:
    """Name the type of a file from its name and its first bytes."""
    for magic, kind in _BEGINNINGS.items():
        if beginning.startswith(magic):
            return kind
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return "image/webp"
    guessed, encoding = _NAMES.guess_type(name)
    if guessed is None or encoding is not None or guessed in _PROMISED:
        return _TEXT if _is_text(beginning) else _UNKNOWN
    return guessed


def _is_text(beginning: bytes) -> bool:
    try:
        # Not final: the last character may have been cut.
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return False
    return b"\0" not in beginning
