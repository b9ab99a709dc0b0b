"""Pictures that `read_file` opens over MCP: content a client can show, within the size of an answer."""

import base64
import io
from pathlib import Path
from typing import Any

import pytest
from drawn_pictures import bomb, noise, picture, saved, written_pdf
from langchain_core.messages import ToolMessage
from mcp_services import FakeServices, connect_client, serve_all
from PIL import Image

from dataagent_core.config.limits.mcp import MCP_SERVED_IMAGE_BYTES_MAX
from dataagent_core.mcp.server.file_content import pictures_in
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.files import ReadLedger, make_file_tools
from dataagent_core.tools.media.media_reference import MediaReference


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    made.mkdir()
    return made


async def read(folder: Path, path: str) -> list[Any]:
    root = SafeRoot(folder, links="refuse")
    tools = make_file_tools(root, ledger=ReadLedger())
    services = FakeServices(tools=tools, workspace=root)
    async with connect_client(services, serve_all(tools, read_file=60.0)) as client:
        answer: Any = await client.call_tool("read_file", {"file_path": path})
    assert not answer.is_error
    return answer.content


async def test_a_picture_comes_as_content(folder: Path) -> None:
    (folder / "a.png").write_bytes(picture(30, 20))
    text, shown = await read(folder, "/a.png")
    assert "a.png" in text.text
    assert (shown.type, shown.mime_type) == ("image", "image/png")
    assert Image.open(io.BytesIO(base64.b64decode(shown.data))).size == (30, 20)


async def test_a_large_picture_is_made_to_fit_and_loses_what_it_says_of_its_owner(
    folder: Path,
) -> None:
    large = Image.open(io.BytesIO(noise(3_000, 2_000)))
    place = Image.Exif()
    place[0x010E] = "taken at home"
    (folder / "a.jpg").write_bytes(saved(large, "JPEG", quality=95, exif=place))
    _, shown = await read(folder, "/a.jpg")
    data = base64.b64decode(shown.data)
    assert len(data) <= MCP_SERVED_IMAGE_BYTES_MAX
    assert b"taken at home" not in data


async def test_a_pdf_comes_as_its_text(folder: Path) -> None:
    (folder / "a.pdf").write_bytes(written_pdf("Revenue is 12.5", None))
    *_, said = await read(folder, "/a.pdf")
    assert said.text == "[page 1]\nRevenue is 12.5\n\n[1 of 2 pages cannot be read.]"


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.pdf", written_pdf(""), "may be a scan"),
        ("a.png", bomb(30_000, 30_000), "million pixels"),
        ("a.png", picture(300, 200)[:-40], "damaged"),
    ],
    ids=["pdf", "bomb", "cut off"],
)
async def test_what_cannot_be_shown_is_said(folder: Path, name: str, data: bytes, why: str) -> None:
    (folder / name).write_bytes(data)
    *_, said = await read(folder, f"/{name}")
    assert said.text.startswith(f"The content of /{name} is not sent over MCP: ")
    assert why in said.text


async def test_another_file_in_the_place_of_what_was_read_is_not_sent(folder: Path) -> None:
    reference = MediaReference.of("/a.png", picture(30, 20))
    assert reference is not None
    (folder / "a.png").write_bytes(picture(31, 20))
    message = ToolMessage([reference.block()], tool_call_id="1")
    (said,) = await pictures_in(message, SafeRoot(folder, links="refuse"))
    assert "it has just been changed" in said.text  # pyright: ignore[reportAttributeAccessIssue]


async def test_an_answer_has_so_many_pictures(folder: Path) -> None:
    references: list[Any] = []
    for number in range(4):
        (folder / f"{number}.png").write_bytes(data := picture(30 + number, 20))
        references.append(MediaReference.of(f"/{number}.png", data))
    message = ToolMessage([one.block() for one in references], tool_call_id="1")
    content = await pictures_in(message, SafeRoot(folder, links="refuse"))
    assert [one.type for one in content] == ["image", "image", "image", "text"]
