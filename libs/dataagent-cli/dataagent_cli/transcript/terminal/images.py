"""A picture as the escape sequence that shows it: kitty's, iTerm2's or sixel. Pure.

The file may be hostile. It is decoded here, within limits, and the terminal always gets our own
small copy, never the bytes of the file.
"""

import base64
import io
import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import ControlType, Segment

from dataagent_cli.transcript.limits import (
    PICTURE_HEIGHT_CELLS_MAX,
    PICTURE_PIXELS_MAX,
    PICTURE_WIDTH_CELLS_MAX,
)
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WEBP"}
_CHUNK_CHARS = 4_096
_INDENT_CELLS = 4


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture on lines of its own."""

    sequence: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Segment(" " * _INDENT_CELLS)
        # Marked as control, so that it has no width and is omitted without a terminal.
        yield Segment(self.sequence, None, [(ControlType.BELL,)])
        yield Segment.line()


def picture(data: bytes, media_type: str, look: TerminalStyle) -> Picture | None:
    """Decode and scale a picture; None if it is not one, or too large."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            image = _decode(data, FORMATS[media_type], look)
    except Exception:  # noqa: BLE001 (decoders raise anything over hostile bytes; the path is shown)
        return None
    return None if image is None else Picture("".join(_encode(image, look)))


def _decode(data: bytes, form: str, look: TerminalStyle) -> "Image | None":
    from PIL import Image

    image = Image.open(io.BytesIO(data), formats=(form,))
    if image.width * image.height > PICTURE_PIXELS_MAX:
        return None
    across, down = look.cell_pixels
    columns = min(look.room_cells - _INDENT_CELLS - 1, PICTURE_WIDTH_CELLS_MAX)
    rows = min(max(4, look.height_rows - 4), PICTURE_HEIGHT_CELLS_MAX)
    image.thumbnail((columns * across, rows * down))
    return image.convert("RGBA")


def _encode(image: "Image", look: TerminalStyle) -> Iterator[str]:
    across, down = look.cell_pixels
    columns, rows = math.ceil(image.width / across), math.ceil(image.height / down)
    match look.images:
        case "kitty":
            coded = _png(image)
            for start in range(0, len(coded), _CHUNK_CHARS):
                more = int(start + _CHUNK_CHARS < len(coded))
                first = f"a=T,f=100,q=2,c={columns},r={rows}," if start == 0 else ""
                yield f"\x1b_G{first}m={more};{coded[start : start + _CHUNK_CHARS]}\x1b\\"
        case "iterm2":
            size = f"width={columns};height={rows};preserveAspectRatio=1"
            yield f"\x1b]1337;File=inline=1;{size}:{_png(image)}\x07"
        case "sixel":
            from textual_image._sixel import image_to_sixels

            yield image_to_sixels(image)
        case "none":
            return


def _png(image: "Image") -> str:
    file = io.BytesIO()
    image.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode("ascii")
