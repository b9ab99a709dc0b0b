"""Reads a multipart form in pieces, without storing it.

The framework's own reader writes every file to the temporary folder first, before the quota is
checked.
"""

from dataclasses import dataclass

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from dataagent_core.errors import ValidationError
from dataagent_server.common.errors import UnsupportedMediaError

_BOUNDARY_BYTES_MAX = 70  # RFC 2046


@dataclass(frozen=True, slots=True)
class PartBegins:
    """A new part; a form field that is no file has no file name."""

    filename: str | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class PartBytes:
    """Bytes of the part that began last."""

    data: bytes


@dataclass(frozen=True, slots=True)
class PartEnds:
    """The part that began last is whole."""


PartEvent = PartBegins | PartBytes | PartEnds


class FormReader:
    """Takes the chunks of a body and returns the events of its parts."""

    def __init__(self, content_type: str) -> None:
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary", b"")
        if kind != b"multipart/form-data" or not 0 < len(boundary) <= _BOUNDARY_BYTES_MAX:
            raise UnsupportedMediaError(
                f"The body's content type is {content_type[:80]!r}; send multipart/form-data with "
                "a boundary, or PUT the file as application/octet-stream."
            )
        self._events: list[PartEvent] = []
        self._header = (bytearray(), bytearray())
        self._disposition = b""
        self._ended = False
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._on_part_begin,
                "on_part_data": lambda data, start, end: self._events.append(
                    PartBytes(data[start:end])
                ),
                "on_part_end": lambda: self._events.append(PartEnds()),
                "on_header_field": lambda data, start, end: self._header[0].extend(data[start:end]),
                "on_header_value": lambda data, start, end: self._header[1].extend(data[start:end]),
                "on_header_end": self._on_header_end,
                "on_headers_finished": self._on_headers_end,
                "on_end": self._on_form_end,
            },
        )

    def feed(self, chunk: bytes) -> list[PartEvent]:
        """Take the next chunk of the body."""
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise ValidationError(f"The form cannot be read: {error}.") from error
        events, self._events = self._events, []
        return events

    def close(self) -> None:
        """Refuse an incomplete form."""
        if not self._ended:
            raise ValidationError("The form broke off before its end. Send it again.")

    def _on_part_begin(self) -> None:
        self._disposition = b""

    def _on_header_end(self) -> None:
        field, value = bytes(self._header[0]), bytes(self._header[1])
        self._header = (bytearray(), bytearray())
        if field.lower() == b"content-disposition":
            self._disposition = value

    def _on_headers_end(self) -> None:
        _, options = parse_options_header(self._disposition)
        filename = options.get(b"filename")
        try:
            self._events.append(
                PartBegins(
                    None if filename is None else filename.decode(),
                    options.get(b"name", b"").decode(),
                )
            )
        except UnicodeDecodeError as error:
            raise ValidationError("A file's name in the form is not UTF-8.") from error

    def _on_form_end(self) -> None:
        self._ended = True
