"""Makes one picture fit, in a process of its own: `python -I picture_worker.py`.

In and out go a line of JSON and bytes behind it. The file may be hostile, and decoders are large C
programs: here one can be killed, with bounded time and memory, an empty environment, and no way to
open a file or a socket. Imports nothing of ours on purpose: that would take seconds to start.

What comes out is always a new picture, without what cameras write beside the pixels (where it was
taken, by whom).
"""

import contextlib
import copy  # noqa: F401 (Pillow imports it only at the first GIF)  # pyright: ignore[reportUnusedImport]
import io
import json
import re
import resource
import sys
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


def main() -> None:
    """Read the job, give up what it must not use, and answer."""
    job = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    # Loads every decoder now: no file can be opened later.
    Image.init()
    with contextlib.suppress(ValueError, OSError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_AS, (job["memory_bytes"], job["memory_bytes"]))
    resource.setrlimit(resource.RLIMIT_CPU, (job["cpu_s"], job["cpu_s"]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    for forbidden in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(forbidden, (0, 0))
    # Sound photographs often have odd facts beside the pixels.
    warnings.simplefilter("ignore")
    # Pillow only warns of a picture that is too large by up to twice.
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    written, media_type, problem = b"", "", ""
    try:
        written, media_type = _fitted(data, job)
    except (_TooManyPixelsError, Image.DecompressionBombError, Image.DecompressionBombWarning):
        problem = "pixels"
    except _TooManyBytesError:
        problem = "bytes"
    except UnidentifiedImageError:
        problem = "format"
    except Exception:  # noqa: BLE001 (decoders raise anything over bytes that are cut off)
        problem = "damaged"
    head = {"media_type": media_type, "problem": problem}
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + written)


def _fitted(data: bytes, job: dict[str, Any]) -> tuple[bytes, str]:
    image: Image.Image = Image.open(io.BytesIO(data), formats=_FORMATS)
    if image.width * image.height > job["pixels_max"]:
        raise _TooManyPixelsError
    is_photo = image.format in _PHOTOS
    if is_photo and _scans(data) > job["scans_max"]:
        raise ValueError("a JPEG of too many scans")
    side = job["side_pixels_max"]
    # A photograph can be opened at a fraction of its size; nothing happens to the others.
    image.draft(None, (side, side))
    image = _plain(image)
    image.thumbnail((side, side))
    while True:
        for written, media_type in _written(image, job["jpeg_qualities"], is_photo=is_photo):
            if len(written) <= job["bytes_max"]:
                return written, media_type
        if image.size == (1, 1):
            raise _TooManyBytesError
        image.thumbnail((max(image.width * 7 // 10, 1), max(image.height * 7 // 10, 1)))


def _scans(data: bytes) -> int:
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


def _plain(image: Image.Image) -> Image.Image:
    """Turn a picture the right way up and give it one of the modes that PNG and JPEG share."""
    image = ImageOps.exif_transpose(image)
    if image.mode.startswith("I"):
        # Sixteen bits of grey: converting alone would make nearly all of it white.
        return image.point(lambda value: value * (1 / 256)).convert("L")
    if image.has_transparency_data:
        return image.convert("RGBA")
    return image if image.mode in {"L", "RGB"} else image.convert("RGB")


def _written(
    image: Image.Image, qualities: list[int], *, is_photo: bool
) -> Iterator[tuple[bytes, str]]:
    """Write a picture in the forms that may be short enough, the best first."""
    if not is_photo:
        yield _saved(image, "PNG"), "image/png"
    opaque = _on_white(image)
    for quality in qualities:
        yield _saved(opaque, "JPEG", quality=quality), "image/jpeg"


def _saved(image: Image.Image, form: str, **options: int) -> bytes:
    file = io.BytesIO()
    plain = image.copy()
    # Neither comments nor profiles nor what a camera wrote.
    plain.info.clear()
    plain.save(file, form, **options)
    return file.getvalue()


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode != "RGBA":
        return image
    ground = Image.new("RGB", image.size, "white")
    ground.paste(image, mask=image.getchannel("A"))
    return ground


if __name__ == "__main__":
    main()
