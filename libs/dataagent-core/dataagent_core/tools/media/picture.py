"""Makes a picture fit what a provider takes. It blocks: call it off the event loop.

The file may be hostile: only a few formats are opened, its size is looked at before its pixels are,
and one picture is opened at a time. What a provider gets is always our own copy, without what
cameras write beside the pixels (where it was taken, by whom).
"""

import io
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dataagent_core.config.media_limits import (
    PICTURE_BYTES_MAX,
    PICTURE_JPEG_QUALITIES,
    PICTURE_PIXELS_MAX,
    PICTURE_SHRINK,
    PICTURE_SHRINKS_MAX,
)
from dataagent_core.errors import ValidationError

if TYPE_CHECKING:
    from PIL.Image import Image

_FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
TAKEN_FORMATS: Final = "PNG, JPEG, GIF, WebP and BMP"
# What an open picture takes in memory is limited by opening one at a time.
_OPENING: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture made ready to be sent."""

    data: bytes
    media_type: str


def fitted(data: bytes, side_pixels_max: int, bytes_max: int = PICTURE_BYTES_MAX) -> Picture:
    """Scale a picture down and write it anew; an animation is its first frame."""
    from PIL import UnidentifiedImageError

    try:
        with _OPENING:
            return _fitted(data, side_pixels_max, bytes_max)
    except ValidationError:
        raise
    except UnidentifiedImageError as error:
        raise ValidationError(
            f"its content is no picture of a format that can be shown ({TAKEN_FORMATS})."
        ) from error
    except Exception as error:
        # Decoders raise anything over bytes that are cut off or made to harm.
        raise ValidationError("the picture is damaged or cut off.") from error


def _fitted(data: bytes, side_pixels_max: int, bytes_max: int) -> Picture:
    image = _opened(data)
    is_photo = image.format == "JPEG"
    # A photograph can be opened at a fraction of its size; nothing happens to the others.
    image.draft(None, (side_pixels_max, side_pixels_max))
    image = _plain(image)
    image.thumbnail((side_pixels_max, side_pixels_max))
    for _ in range(PICTURE_SHRINKS_MAX):
        for picture in _written(image, is_photo=is_photo):
            if len(picture.data) <= bytes_max:
                return picture
        image.thumbnail((_shrunk(image.width), _shrunk(image.height)))
    raise ValidationError(f"it cannot be made smaller than {bytes_max:,} bytes.")


def _opened(data: bytes) -> "Image":
    from PIL import Image

    # Pillow only warns of a picture that is too large by up to twice, and prints that.
    warnings.filterwarnings("error", category=Image.DecompressionBombWarning)
    try:
        image = Image.open(io.BytesIO(data), formats=_FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many_pixels() from error
    if image.width * image.height > PICTURE_PIXELS_MAX:
        raise _too_many_pixels()
    return image


def _too_many_pixels() -> ValidationError:
    return ValidationError(
        f"it has more than {PICTURE_PIXELS_MAX // 1_000_000} million pixels. Make it smaller first."
    )


def _plain(image: "Image") -> "Image":
    """Turn a picture the right way up and give it one of the modes that PNG and JPEG share."""
    from PIL import ImageOps

    image = ImageOps.exif_transpose(image)
    if image.mode.startswith("I"):
        # Sixteen bits of grey: converting alone would make nearly all of it white.
        return image.point(lambda value: value * (1 / 256)).convert("L")
    if image.has_transparency_data:
        return image.convert("RGBA")
    return image if image.mode in {"L", "RGB"} else image.convert("RGB")


def _written(image: "Image", *, is_photo: bool) -> Iterator[Picture]:
    """Write a picture in the forms that may be short enough, the best first."""
    if not is_photo:
        yield _saved(image, "PNG", "image/png")
    opaque = _on_white(image)
    for quality in PICTURE_JPEG_QUALITIES:
        yield _saved(opaque, "JPEG", "image/jpeg", quality=quality)


def _saved(image: "Image", form: str, media_type: str, **options: int) -> Picture:
    file = io.BytesIO()
    copy = image.copy()
    # Neither comments nor profiles nor what a camera wrote.
    copy.info.clear()
    copy.save(file, form, **options)
    return Picture(file.getvalue(), media_type)


def _on_white(image: "Image") -> "Image":
    from PIL import Image

    if image.mode != "RGBA":
        return image
    ground = Image.new("RGB", image.size, "white")
    ground.paste(image, mask=image.getchannel("A"))
    return ground


def _shrunk(pixels: int) -> int:
    return max(int(pixels * PICTURE_SHRINK), 1)
