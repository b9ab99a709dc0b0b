"""Pictures and documents for tests, good ones and hostile ones."""

import io
import os
import zlib
from typing import Any

from PIL import Image
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject


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


def written_pdf(*pages: str | None, password: str = "", owner_password: str = "") -> bytes:
    """Write a PDF of pages that each show one line; None is a page that cannot be read."""
    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})  # pyright: ignore[reportPrivateUsage] (it has no other way)
    for text in pages:
        page = writer.add_blank_page(300, 300)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode("latin-1"))
        if text is None:
            content[NameObject("/Filter")] = NameObject("/Unknown")
        page[NameObject("/Contents")] = writer._add_object(content)  # pyright: ignore[reportPrivateUsage]
    if password or owner_password:
        writer.encrypt(password, owner_password or None, algorithm="AES-256")
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


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
