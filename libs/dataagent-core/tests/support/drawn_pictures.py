"""Pictures and documents for tests, good ones and hostile ones."""

import io
import os
import zlib
from typing import Any

from PIL import Image


def picture(width: int, height: int, form: str = "PNG", **options: Any) -> bytes:
    """Draw a plain picture of a size."""
    return saved(Image.new("RGB", (width, height), "teal"), form, **options)


def noise(width: int, height: int) -> bytes:
    """Draw a picture that no format makes short."""
    return saved(Image.frombytes("RGB", (width, height), os.urandom(width * height * 3)), "PNG")


def saved(image: Image.Image, form: str, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def bomb(width: int, height: int) -> bytes:
    """Write a PNG of few bytes that says it has as many pixels as it likes."""
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\0\0\0"
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(bytes(1_000))), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
        for kind, body in chunks
    )


def pdf(pages: int = 1) -> bytes:
    """Write what begins, ends and counts its pages as a PDF does."""
    listed = b"".join(b"<< /Type /Page >>\n" for _ in range(pages))
    return b"%PDF-1.7\n<< /Type /Pages >>\n" + listed + b"%%EOF\n"


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def scans() -> bytes:
    """Write a JPEG that says the same about all of its pixels again and again."""
    image = picture(600, 600, "JPEG", progressive=True)
    start = image.rindex(b"\xff\xda")
    last = image[start:-2]
    return image[:-2] + last * (100_000 // len(last)) + image[-2:]


def motion_photo() -> bytes:
    """Write a photograph as telephones do: a film follows it, whose bytes may be anything."""
    thumbnail = b"\xff\xd8\xff\xda\xff\xd9"
    return picture(60, 40, "JPEG", progressive=True, comment=thumbnail) + b"\xff\xda" * 1_000
