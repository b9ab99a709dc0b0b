"""The files of a call: a picture if the terminal can show it, a plot or a path elsewhere."""

import base64
import io
import json
import re
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dataagent_cli.messages import Messages
from dataagent_cli.transcript.calls.plots import reader_of
from dataagent_cli.transcript.terminal.console import console_for
from dataagent_cli.transcript.terminal.images import FORMATS, picture
from dataagent_cli.transcript.terminal.terminal_style import Images, TerminalStyle
from dataagent_cli.transcript.transcript import Transcript
from dataagent_core.events import ToolCallEvent, ToolResultEvent

SPEC = {
    "title": "Sales",
    "mark": "bar",
    "data": {"values": [{"m": "Jan", "n": 3}, {"m": "Feb", "n": 6}]},
    "encoding": {
        "x": {"field": "m", "type": "nominal"},
        "y": {"field": "n", "type": "quantitative"},
    },
}


def png(width: int = 1200, height: int = 800) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height), (200, 30, 30)).save(file, "PNG")
    return file.getvalue()


def shown(folder: Path, images: Images, *paths: str, plain: bool = False) -> str:
    look = TerminalStyle(width_cells=60, images=images, plain=plain)
    transcript = Transcript(Messages("en"), look, read=reader_of(folder))
    media = {".png": "image/png", ".json": "application/json"}
    made = [{"path": path, "media_type": media[Path(path).suffix]} for path in paths]
    file = io.StringIO()
    console = console_for(look, file)
    for event in (
        ToolCallEvent(tool_call_id="1", tool_name="chart_create", tool_args={"title": "Sales"}),
        ToolResultEvent(
            tool_call_id="1",
            tool_name="chart_create",
            result="drawn",
            artifacts=[dict(file) for file in made],
        ),
    ):
        for part in transcript.show(event):
            console.print(part)
    return file.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sales.png").write_bytes(png())
    (tmp_path / "sales.vl.json").write_text(json.dumps(SPEC))
    return tmp_path


@pytest.mark.requirement("F8-1-pictures")
def test_kitty_gets_a_small_copy_in_chunks(folder: Path):
    told = shown(folder, "kitty", "/sales.png", "/sales.vl.json")
    chunks = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", told)
    assert "a=T,f=100" in chunks[0][0]
    assert chunks[-1][0].endswith("m=0")
    assert all(len(data) <= 4096 for _, data in chunks)
    copy = Image.open(io.BytesIO(base64.b64decode("".join(data for _, data in chunks))))
    columns, rows = map(int, re.findall(r"[cr]=(\d+)", chunks[0][0]))
    assert columns <= 56
    assert rows <= 24
    assert copy.width <= columns * 10
    assert copy.height <= rows * 20
    assert "file: /sales.png" in told
    assert "vl.json" not in told


@pytest.mark.requirement("F8-1-pictures")
def test_iterm_and_sixel_terminals_get_their_own(folder: Path):
    iterm = shown(folder, "iterm2", "/sales.png")
    data = re.search(r"\x1b\]1337;File=inline=1;[^:]*:([A-Za-z0-9+/=]+)\x07", iterm)
    assert data
    assert Image.open(io.BytesIO(base64.b64decode(data[1]))).format == "PNG"
    assert re.search(r"\x1bP[^\x1b]*q[^\x1b]+\x1b\\", shown(folder, "sixel", "/sales.png"))


@pytest.mark.requirement("F8-1-pictures")
def test_elsewhere_the_chart_is_text_and_the_picture_a_path(folder: Path):
    told = shown(folder, "none", "/sales.png", "/sales.vl.json")
    assert "Sales" in told
    assert "Jan" in told
    assert "█" in told
    assert "file: /sales.png" in told
    assert "\x1b_G" not in told
    assert "\x1b" not in shown(folder, "kitty", "/sales.png", plain=True)


def bomb() -> bytes:
    """A small file that claims to be 100,000 pixels wide and high."""
    head = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    return (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", len(head))
        + chunk
        + struct.pack(">I", zlib.crc32(chunk))
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda: b"",
        lambda: b"\x1b[2J",
        bomb,
        lambda: png()[:200],
        lambda: png(8_000, 6_000),
    ],
    ids=["empty", "escape", "bomb", "cut", "large"],
)
def test_what_is_no_picture_or_too_large_is_only_a_path(folder: Path, make: Callable[[], bytes]):
    (folder / "evil.png").write_bytes(make())
    told = shown(folder, "kitty", "/evil.png")
    assert "\x1b_G" not in told
    assert "file: /evil.png" in told


def test_a_picture_outside_the_workspace_is_not_read(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
):
    outside = tmp_path_factory.mktemp("outside") / "secret.png"
    outside.write_bytes(png())
    (folder / "link.png").symlink_to(outside)
    assert "\x1b_G" not in shown(folder, "kitty", "/link.png")
    assert "\x1b_G" not in shown(folder, "kitty", "/gone.png")


@given(st.binary(max_size=300), st.integers(0, 60), st.sampled_from(sorted(FORMATS)))
def test_no_bytes_break_the_decoder_or_pass_through_it(junk: bytes, at: int, media_type: str):
    data = png(4, 4)
    found = picture(data[:at] + junk + data[at:], media_type, TerminalStyle(images="kitty"))
    if found is not None:
        assert re.fullmatch(r"(?:\x1b_G[a-zA-Z0-9=,]*;[A-Za-z0-9+/=]*\x1b\\)+", found.sequence)
