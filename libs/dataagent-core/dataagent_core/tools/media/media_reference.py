"""What stands for a picture or a PDF in a conversation: where it is, and what it held. Pure.

Messages, checkpoints and the journal hold the reference and never the bytes; those are read right
before a model is called (`engine/attachments/media/loader.py`). In form it is one of LangChain's
standard content blocks, so whatever counts or leaves out pictures knows it.
"""

import hashlib
import mimetypes
import re
from dataclasses import dataclass
from typing import Any, Final, Self

from dataagent_core.config.limits.media import (
    PDF_BYTES_MAX,
    PDF_PAGE_BYTES,
    PDF_PAGE_TOKENS,
    PDF_PAGES_MAX,
)
from dataagent_core.tools.media.media_type import detect_media_type

PDF: Final = "application/pdf"
_SCHEME: Final = "workspace:"
# Images that are text: they are read as such.
_WRITTEN: Final = frozenset({"image/svg+xml"})
_NAMES: Final = mimetypes.MimeTypes(filenames=())
_PAGE: Final = re.compile(rb"/Type\s*/Page\b")
_BEGINNING_BYTES: Final = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaReference:
    """A file of the workspace to be looked at; `path` is as the agent names it."""

    path: str
    media_type: str
    sha256: str
    # What it is thought to cost; None where it costs what any picture does.
    tokens: int | None = None

    @classmethod
    def of(cls, path: str, data: bytes) -> Self | None:
        """Refer to a file if it is something to look at, or is called so and is no text."""
        kind = _detect_kind(path, data[:_BEGINNING_BYTES])
        if kind is None:
            return None
        tokens = _estimate_pdf_tokens(data) if kind == PDF else None
        sha256 = hashlib.sha256(data).hexdigest()
        return cls(path=path, media_type=kind, sha256=sha256, tokens=tokens)

    @classmethod
    def read(cls, block: Any) -> Self | None:
        """Find the reference that a block of content is, if it is one."""
        match block:
            case {
                "type": "image" | "file",
                "url": str(url),
                "mime_type": str(kind),
                "extras": {"sha256": str(sha256), **more},
            } if url.startswith(_SCHEME):
                tokens = more.get("tokens")
                return cls(
                    path=url.removeprefix(_SCHEME),
                    media_type=kind,
                    sha256=sha256,
                    tokens=tokens if isinstance(tokens, int) else None,
                )
            case _:
                return None

    @property
    def is_pdf(self) -> bool:
        return self.media_type == PDF

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    def block(self) -> dict[str, Any]:
        """Write it as a block of content."""
        tokens = {} if self.tokens is None else {"tokens": self.tokens}
        return {
            "type": "file" if self.is_pdf else "image",
            "url": _SCHEME + self.path,
            "mime_type": self.media_type,
            "extras": {"sha256": self.sha256, **tokens},
        }


def is_media_name(name: str) -> bool:
    """Say whether a file of this name ought to be something to look at."""
    return _kind_of_name(name) is not None


def count_pdf_pages(data: bytes) -> int:
    """Count the pages that a PDF lists openly; most lists of pages are compressed."""
    return len(_PAGE.findall(data))


def _estimate_pdf_tokens(data: bytes) -> int:
    counted = count_pdf_pages(data)
    if counted > PDF_PAGES_MAX or len(data) > PDF_BYTES_MAX:
        # What is too long is not shown, and costs the sentence that says so.
        return 0
    return (counted or min(1 + len(data) // PDF_PAGE_BYTES, PDF_PAGES_MAX)) * PDF_PAGE_TOKENS


def _detect_kind(path: str, beginning: bytes) -> str | None:
    found = detect_media_type(path, beginning)
    if found == PDF or (found.startswith("image/") and found not in _WRITTEN):
        return found
    # A name promises: that the content is something else is said when it is to be shown.
    return _kind_of_name(path) if not found.startswith("text/") else None


def _kind_of_name(path: str) -> str | None:
    kind, _ = _NAMES.guess_type(path)
    is_media = kind is not None and (kind.startswith("image/") or kind == PDF)
    return kind if is_media and kind not in _WRITTEN else None
