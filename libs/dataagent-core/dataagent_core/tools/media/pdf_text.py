"""Checks whether a PDF can be sent to a model, and reads its text for a model that takes none.

`check_pdf` is pure: a provider refuses the whole request over a bad document. `pdf_worker.py` reads
the text in a child process.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dataagent_core.config.limits.media import (
    PDF_BYTES_MAX,
    PDF_PAGE_TEXT_CHARS_MAX,
    PDF_PAGES_MAX,
    PDF_TEXT_CHARS_MAX,
    PDF_TEXT_MEMORY_BYTES_MAX,
    PDF_TEXT_PAGES_MAX,
    PDF_TEXT_READING_S_MAX,
    PDF_TEXT_S_MAX,
)
from dataagent_core.errors import ToolExecutionError, ValidationError
from dataagent_core.tools.child_process import ChildLimits
from dataagent_core.tools.media.media_reference import count_pdf_pages
from dataagent_core.tools.media.media_worker import run_media_worker

_END_BYTES: Final = 2_048


def is_encrypted(data: bytes) -> bool:
    """Return whether a document is encrypted: providers refuse it, even without a password."""
    return b"/Encrypt" in data


def check_pdf(data: bytes) -> None:
    """Raise if no provider would accept the document."""
    if not data.startswith(b"%PDF-") or b"%%EOF" not in data[-_END_BYTES:]:
        raise ValidationError("its content is no whole PDF document: it is damaged or cut off.")
    if len(data) > PDF_BYTES_MAX:
        raise ValidationError(
            f"it has {len(data):,} bytes, and {PDF_BYTES_MAX:,} can be shown. Cut it into parts."
        )
    pages = count_pdf_pages(data)
    if pages > PDF_PAGES_MAX:
        raise ValidationError(
            f"it has {pages:,} pages, and {PDF_PAGES_MAX} can be shown. Cut it into parts."
        )


PDF_WORKER_FILE: Final = Path(__file__).with_name("pdf_worker.py")
_PROBLEMS: Final = {
    "locked": "the document is protected by a password.",
    "damaged": "its content is no whole PDF document: it is damaged or cut off.",
}
_TOO_HARD: Final = (
    f"its text cannot be read within {PDF_TEXT_S_MAX:g} s and {PDF_TEXT_MEMORY_BYTES_MAX:,} bytes "
    "of memory."
)
_NO_TEXT: Final = "no page of it holds text: it may be a scan."


@dataclass(frozen=True, slots=True)
class PdfText:
    """The text of a document's pages, each under its number."""

    text: str
    pages: int
    pages_read: int
    is_cut: bool
    pages_unreadable: int = 0

    @property
    def missing(self) -> str:
        """A note on what is missing in the text; empty if nothing is."""
        notes: list[str] = []
        if self.is_cut:
            notes.append(f"Only a part of {self.pages_read} of {self.pages} pages.")
        if self.pages_unreadable:
            notes.append(f"{self.pages_unreadable} of {self.pages} pages cannot be read.")
        return " ".join(notes)


async def read_pdf_text(data: bytes) -> PdfText:
    """Read the text of a document within the limits; raises if there is none."""
    job = {
        "pages_max": PDF_TEXT_PAGES_MAX,
        "chars_max": PDF_TEXT_CHARS_MAX,
        "page_chars_max": PDF_PAGE_TEXT_CHARS_MAX,
        "reading_s": PDF_TEXT_READING_S_MAX,
    }
    limits = ChildLimits(PDF_TEXT_S_MAX, PDF_TEXT_MEMORY_BYTES_MAX)
    try:
        answer, written = await run_media_worker(PDF_WORKER_FILE, job, data, limits)
    except TimeoutError as error:
        # The machine may have been busy, so a retry may succeed.
        raise ToolExecutionError(_TOO_HARD) from error
    if answer is None:
        raise ValidationError(_TOO_HARD)
    if problem := answer["problem"]:
        raise ValidationError(_PROBLEMS[problem])
    if not written:
        raise ValidationError(_NO_TEXT)
    text = written.decode("utf-8", "replace")
    return PdfText(
        text,
        pages=answer["pages"],
        pages_read=answer["pages_read"],
        is_cut=answer["is_cut"],
        pages_unreadable=answer["pages_unreadable"],
    )
