"""Limits of pictures and PDF documents that are shown to a model.

What a provider takes is its own documentation's; where it scales a larger picture down itself, we
do, because it costs less to send. A provider without a row here is given the smallest of them.
"""

from collections.abc import Mapping
from typing import Final

# A file that is shown, and the process that opens it.
MEDIA_FILE_BYTES_MAX: Final = 20_000_000
PICTURE_PIXELS_MAX: Final = 40_000_000
PICTURE_MEMORY_BYTES_MAX: Final = 1_000_000_000
PICTURE_S_MAX: Final = 20.0
# Processes at the same time.
PICTURE_WORKERS_MAX: Final = 2
# Of a JPEG, which may go over its pixels as often as it likes; ten are usual.
PICTURE_SCANS_MAX: Final = 100

# The longer side, by provider as in `provider:name`.
PICTURE_SIDE_PIXELS_MAX: Final[Mapping[str, int]] = {
    "anthropic": 1_568,
    "openai": 2_048,
    "google_genai": 3_072,
}
PICTURE_SIDE_PIXELS_DEFAULT: Final = 1_568
# Anthropic takes 5 MB of one picture, counted in base64; the others take more.
PICTURE_BYTES_MAX: Final = 3_700_000
# How a picture that is still too large is written, before its sides are made shorter.
PICTURE_JPEG_QUALITIES: Final = (85, 65)

# Of one request, the newest first. Google takes 20 MB of a request, counted in base64.
MEDIA_OF_REQUEST_MAX: Final = 20
MEDIA_BYTES_OF_REQUEST_MAX: Final = 12_000_000
PDF_BYTES_MAX: Final = 10_000_000
# The smallest of the providers' limits; counted only as far as a file lists its pages openly.
PDF_PAGES_MAX: Final = 100
# What a page costs, as text and as a picture of it, and how long one is where nobody knows.
PDF_PAGE_TOKENS: Final = 2_500
PDF_PAGE_BYTES: Final = 50_000

# The text of a PDF, for a model that takes none: of one request, of a document, of a page (in
# English what a page is thought to cost; Chinese costs more), and of the process that reads it,
# which stops by itself before.
PDF_TEXT_CHARS_OF_REQUEST_MAX: Final = 100_000
PDF_TEXT_CHARS_MAX: Final = 50_000
PDF_PAGE_TEXT_CHARS_MAX: Final = 10_000
PDF_TEXT_PAGES_MAX: Final = 200
PDF_TEXT_MEMORY_BYTES_MAX: Final = 1_000_000_000
PDF_TEXT_READING_S_MAX: Final = 10.0
PDF_TEXT_S_MAX: Final = 20.0

# What is kept in memory for each agent: pictures made ready, more than one request takes, and why
# others cannot be shown.
MEDIA_KEPT_BYTES_MAX: Final = 16_000_000
MEDIA_KEPT_MAX: Final = 200
