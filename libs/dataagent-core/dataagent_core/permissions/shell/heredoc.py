"""Here-documents: where they begin and end, checked against the text, and what bash does in them.

The grammar does not see every substitution in a body, so a body that bash expands and that holds
one is never taken for plain text.
"""

import re
from dataclasses import dataclass

from dataagent_core.permissions.shell.grammar import Node

_DELIMITER = re.compile(rb"(?P<quote>['\"]?)(?P<name>\w+)(?P=quote)")
_ODD = re.compile(rb"[\\'\"`({]")
_RUNS = re.compile(rb"`|\$\(|\$\[|\$\{\w*[^\w}]")
_EXPANDS = re.compile(rb"[$\\]")


@dataclass(frozen=True, slots=True)
class HereDocument:
    """A body; `literal` is its text where bash leaves it as it is."""

    literal: str | None
    doubt: str | None = None


def read_heredoc(node: Node, source: bytes) -> HereDocument:
    """Read a `heredoc_redirect` node."""
    by_type = {child.type: child for child in node.children}
    start, end = by_type.get("heredoc_start"), by_type.get("heredoc_end")
    found = start and _DELIMITER.fullmatch(source, start.start_byte, start.end_byte)
    if not start or not end or not found:
        return HereDocument(None, "its here-document cannot be read")
    line_end = source.find(b"\n", start.end_byte)
    if line_end < 0 or _ODD.search(source, start.end_byte, line_end):
        return HereDocument(None, "its here-document cannot be read")
    body = source[line_end + 1 : end.start_byte]
    lines = body.split(b"\n")
    if "<<-" in by_type:
        lines = [line.lstrip(b"\t") for line in lines]
    if found["name"] in lines or lines[-1] or not _ends_there(source, end, found["name"]):
        return HereDocument(None, "its here-document cannot be read")
    text = b"\n".join(lines)
    if found["quote"]:
        return HereDocument(text.decode())
    if _RUNS.search(text):
        return HereDocument(None, "its here-document runs commands")
    return HereDocument(None if _EXPANDS.search(text) else text.decode())


def _ends_there(source: bytes, end: Node, name: bytes) -> bool:
    after = source[end.end_byte : end.end_byte + 1]
    return source[end.start_byte : end.end_byte] == name and after in {b"", b"\n"}
