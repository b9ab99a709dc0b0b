"""What the child process that opens pictures may do, and which pictures it can open."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from drawn_pictures import motion_photo, noise, opened, picture, saved
from hostile_worker import hostile_worker
from PIL import Image

from dataagent_core.config.limits.media import PICTURE_WORKERS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.child_process import ChildLimits, run_child
from dataagent_core.tools.media import picture as picture_module
from dataagent_core.tools.media.picture import fit_picture

LIMITS = ChildLimits(20, 1_000_000_000)


async def test_a_decoder_that_is_taken_over_reaches_neither_files_nor_the_network(
    tmp_path: Path,
) -> None:
    answer = '" ".join(done).encode(), "text/plain"'
    worker = hostile_worker(tmp_path, picture_module.WORKER_FILE, "_fit", answer)
    head, possible = await run_child(worker, {}, b"", LIMITS)
    assert head == {"media_type": "text/plain", "problem": ""}
    assert possible == b""


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
async def test_every_format_is_opened(form: str) -> None:
    made = await fit_picture(picture(60, 40, form), 30)
    assert opened(made.data).size == (30, 20)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16", "CMYK", "YCbCr"])
async def test_every_mode_is_opened(mode: str) -> None:
    form = "JPEG" if mode in {"CMYK", "YCbCr"} else "PNG"
    image = Image.new(mode, (60, 40))
    assert opened((await fit_picture(saved(image, form), 30)).data).size == (30, 20)


async def test_a_photograph_of_two_pictures_is_written_as_a_photograph() -> None:
    first, second = (opened(noise(60, 40)) for _ in range(2))
    data = saved(first, "MPO", save_all=True, append_images=[second])
    assert opened(data).format == "MPO"
    made = await fit_picture(data, 30)
    assert made.media_type == "image/jpeg"
    assert opened(made.data).size == (30, 20)


async def test_what_follows_a_photograph_is_not_counted_as_its_scans() -> None:
    made = await fit_picture(motion_photo(), 30)
    assert opened(made.data).size == (30, 20)


async def test_a_photograph_with_damaged_facts_beside_it_is_shown() -> None:
    # Says that it is turned, and then lists more facts than it holds: Pillow only warns.
    facts = b"Exif\0\0II*\0\x08\0\0\0\x09\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"
    made = await fit_picture(picture(60, 40, "JPEG", exif=facts), 60)
    assert opened(made.data).width in {40, 60}


async def test_no_content_is_no_picture() -> None:
    with pytest.raises(ValidationError, match="no picture of a format"):
        await fit_picture(b"", 30)


async def test_only_some_pictures_are_opened_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    running, most = 0, 0
    start = asyncio.create_subprocess_exec

    async def counted(*args: Any, **kwargs: Any) -> asyncio.subprocess.Process:
        nonlocal running, most
        running += 1
        most = max(most, running)
        child = await start(*args, **kwargs)
        wait = child.communicate

        async def communicate(data: bytes) -> tuple[bytes, bytes]:
            nonlocal running
            try:
                return await wait(data)
            finally:
                running -= 1

        monkeypatch.setattr(child, "communicate", communicate)
        return child

    monkeypatch.setattr(asyncio, "create_subprocess_exec", counted)
    await asyncio.gather(
        *(fit_picture(picture(30, 20), 30) for _ in range(PICTURE_WORKERS_MAX + 2))
    )
    assert most == PICTURE_WORKERS_MAX


async def test_a_limit_that_no_picture_fits_is_said_and_not_tried_for_ever() -> None:
    job = {
        "side_pixels_max": 30,
        "pixels_max": 10_000,
        "scans_max": 10,
        "bytes_max": 1,
        "jpeg_qualities": [80],
    }
    data = picture(20, 10, "PNG")
    head, _ = await run_child(picture_module.WORKER_FILE, job, data, LIMITS)
    assert head is not None
    assert head["problem"] == "bytes"
