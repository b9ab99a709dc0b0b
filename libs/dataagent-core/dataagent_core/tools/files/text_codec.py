"""Bytes as text and back, without losing one of them. Pure.

A file is taken for UTF-8, for UTF-16 if it says so, else for Latin-1 if it can be text at all.
Each of these gives every byte back when it is written again (a test holds that).
Whatever fits none of them is refused rather than repaired.
"""

import codecs
from dataclasses import dataclass

from dataagent_core.errors import ValidationError

_BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
# Latin-1 gives every byte a character; these are ones that no text holds.
_NO_TEXT = frozenset(range(0x80, 0xA0))


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text and how it was written."""

    text: str
    encoding: str
    bom: bytes

    def encode(self, text: str) -> bytes:
        """Write another text the same way."""
        try:
            return self.bom + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            wrong = text[error.start : error.end]
            raise ValidationError(
                f"The file is written in {self.encoding}, which has no {wrong!r:.40}. Use other "
                "characters, or write the whole file anew with write_file, which uses UTF-8."
            ) from error


def decode(data: bytes, path: str) -> DecodedText:
    """Read bytes as text, or raise `ValidationError` naming the file."""
    bom = next((mark for mark in _BOMS if data.startswith(mark)), b"")
    try:
        encoding = _BOMS.get(bom, "utf-8")
        decoded = DecodedText(data[len(bom) :].decode(encoding), encoding, bom)
    except UnicodeDecodeError as error:
        if bom or not _NO_TEXT.isdisjoint(data):
            raise ValidationError(
                f"{path!r} is neither UTF-8, UTF-16 nor Latin-1 text: byte {error.start} cannot be "
                "read. Convert it first, for example with iconv."
            ) from error
        decoded = DecodedText(data.decode("latin-1"), "latin-1", b"")
    if "\0" in decoded.text:
        raise ValidationError(
            f"{path!r} is not text: there are NUL bytes among its {len(data)}. Look at it with a "
            "program made for it."
        )
    return decoded


def is_binary(data: bytes) -> bool:
    """Say whether bytes are no text: a NUL among them, unless they are UTF-16."""
    return b"\0" in data and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
