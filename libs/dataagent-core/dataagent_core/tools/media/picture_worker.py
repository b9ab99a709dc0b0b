"""A worker of `child_process` that makes one picture fit; decoders are large C programs.

What comes out is always a new picture, without what cameras write beside the pixels (where it was
taken, by whom).
"""

import copy  # noqa: F401 (Pillow imports it only at the first GIF)  # pyright: ignore[reportUnusedImport]
import io
import re
import warnings
from collections.abc import Iterator
from typing import Any

from PIL import Image, ImageOps, UnidentifiedImageError

# The markers of a JPEG, without those that stand between pixels.
_MARKER = re.compile(rb"\xff([^\x00\x01\xd0-\xd7\xff])")
_SCAN = b"\xda"
_END = b"\xd9"
_START = b"\xd8"
# A JPEG of several pictures, as many cameras write it, is opened as the format JPEG too.
_PHOTOS = frozenset({"JPEG", "MPO"})
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")


class _TooManyPixelsError(Exception):
    pass


class _TooManyBytesError(Exception):
    pass


def prepare(_job: dict[str, Any]) -> None:
    """Load every decoder: no file can be opened later."""
    Image.init()
    # Sound photographs often have odd facts beside the pixels.
    warnings.simplefilter("ignore")
    # Pillow only warns of a picture that is too large by up to twice.
    warnings.simplefilter("error", Image.DecompressionBombWarning)


def work(job: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Make a picture fit; the head says what it became, or what is wrong with it."""
    written, media_type, problem = b"", "", ""
    try:
        written, media_type = _fit(data, job)
    except (_TooManyPixelsError, Image.DecompressionBombError, Image.DecompressionBombWarning):
        problem = "pixels"
    except _TooManyBytesError:
        problem = "bytes"
    except UnidentifiedImageError:
        problem = "format"
    except Exception:  # noqa: BLE001 (decoders raise anything over bytes that are cut off)
        problem = "damaged"
    return {"media_type": media_type, "problem": problem}, written


def _fit(data: bytes, job: dict[str, Any]) -> tuple[bytes, str]:
    image: Image.Image = Image.open(io.BytesIO(data), formats=_FORMATS)
    if image.width * image.height > job["pixels_max"]:
        raise _TooManyPixelsError
    is_photo = image.format in _PHOTOS
    if is_photo and _count_scans(data) > job["scans_max"]:
        raise ValueError("a JPEG of too many scans")
    side = job["side_pixels_max"]
    # A photograph can be opened at a fraction of its size; nothing happens to the others.
    image.draft(None, (side, side))
    image = _convert_to_plain(image)
    image.thumbnail((side, side))
    while True:
        for written, media_type in _encode(image, job["jpeg_qualities"], is_photo=is_photo):
            if len(written) <= job["bytes_max"]:
                return written, media_type
        if image.size == (1, 1):
            raise _TooManyBytesError
        image.thumbnail((max(image.width * 7 // 10, 1), max(image.height * 7 // 10, 1)))


def _count_scans(data: bytes) -> int:
    """Count the scans of the first picture of a JPEG as its decoder finds them."""
    count, position = 0, 0
    while found := _MARKER.search(data, position):
        position = found.end()
        if found[1] == _END:
            break
        if found[1] == _START:
            continue
        count += found[1] == _SCAN
        # Every other marker is followed by the size of what belongs to it.
        position += max(int.from_bytes(data[position : position + 2], "big"), 2)
    return count


def _convert_to_plain(image: Image.Image) -> Image.Image:
    """Turn a picture the right way up and give it one of the modes that PNG and JPEG share."""
    image = ImageOps.exif_transpose(image)
    if image.mode.startswith("I"):
        # Sixteen bits of grey: converting alone would make nearly all of it white.
        return image.point(lambda value: value * (1 / 256)).convert("L")
    if image.has_transparency_data:
        return image.convert("RGBA")
    return image if image.mode in {"L", "RGB"} else image.convert("RGB")


def _encode(
    image: Image.Image, qualities: list[int], *, is_photo: bool
) -> Iterator[tuple[bytes, str]]:
    """Write a picture in the forms that may be short enough, the best first."""
    if not is_photo:
        yield _save(image, "PNG"), "image/png"
    opaque = _paste_on_white(image)
    for quality in qualities:
        yield _save(opaque, "JPEG", quality=quality), "image/jpeg"


def _save(image: Image.Image, form: str, **options: int) -> bytes:
    file = io.BytesIO()
    plain = image.copy()
    # Neither comments nor profiles nor what a camera wrote.
    plain.info.clear()
    plain.save(file, form, **options)
    return file.getvalue()


def _paste_on_white(image: Image.Image) -> Image.Image:
    if image.mode != "RGBA":
        return image
    ground = Image.new("RGB", image.size, "white")
    ground.paste(image, mask=image.getchannel("A"))
    return ground
