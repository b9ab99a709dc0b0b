"""Makes a picture fit what a provider takes.

The work is `picture_worker.py`'s, in a child process; here its job is set, its answer understood.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dataagent_core.config.limits.media import (
    PICTURE_BYTES_MAX,
    PICTURE_JPEG_QUALITIES,
    PICTURE_MEMORY_BYTES_MAX,
    PICTURE_PIXELS_MAX,
    PICTURE_S_MAX,
    PICTURE_SCANS_MAX,
)
from dataagent_core.errors import ToolExecutionError, ValidationError
from dataagent_core.tools.child_process import ChildLimits
from dataagent_core.tools.media.media_worker import run_media_worker

WORKER_FILE: Final = Path(__file__).with_name("picture_worker.py")
_PROBLEMS: Final = {
    "pixels": f"it has more than {PICTURE_PIXELS_MAX // 1_000_000} million pixels. Make it smaller "
    "first.",
    "bytes": f"no smaller form of it has at most {PICTURE_BYTES_MAX:,} bytes.",
    "format": "its content is no picture of a format that can be shown (PNG, JPEG, GIF, WebP and "
    "BMP).",
    "damaged": "the picture is damaged or cut off.",
}
_TOO_HARD: Final = (
    f"the picture cannot be opened within {PICTURE_S_MAX:g} s and {PICTURE_MEMORY_BYTES_MAX:,} "
    "bytes of memory."
)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture made ready to be sent."""

    data: bytes
    media_type: str


async def fit_picture(data: bytes, side_pixels_max: int) -> Picture:
    """Scale a picture down and write it anew; of an animation, its first frame."""
    job = {
        "side_pixels_max": side_pixels_max,
        "pixels_max": PICTURE_PIXELS_MAX,
        "scans_max": PICTURE_SCANS_MAX,
        "bytes_max": PICTURE_BYTES_MAX,
        "jpeg_qualities": PICTURE_JPEG_QUALITIES,
    }
    limits = ChildLimits(PICTURE_S_MAX, PICTURE_MEMORY_BYTES_MAX)
    try:
        answer, written = await run_media_worker(WORKER_FILE, job, data, limits)
    except TimeoutError as error:
        # Perhaps the machine was busy: unlike what a picture holds, that passes.
        raise ToolExecutionError(_TOO_HARD) from error
    if answer is None:
        # It was killed at a limit, or by what it opened.
        raise ValidationError(_TOO_HARD)
    if problem := answer["problem"]:
        raise ValidationError(_PROBLEMS[problem])
    return Picture(written, answer["media_type"])
