"""Whether a PDF may be sent as it is: a provider refuses the whole request over a bad one. Pure."""

from typing import Final

from dataagent_core.config.limits.media import PDF_BYTES_MAX, PDF_PAGES_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.media.media_reference import count_pdf_pages

_END_BYTES: Final = 2_048


def is_encrypted(data: bytes) -> bool:
    """Say whether a document is encrypted: providers refuse it, also where no password is set."""
    return b"/Encrypt" in data


def check_pdf(data: bytes) -> None:
    """Raise, with a sentence, over a document that no provider would take."""
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
