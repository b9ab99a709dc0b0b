"""What the child process that reads the text of a PDF may do, and what it reads."""

import codecs
import io
import random
import re
import secrets
from pathlib import Path
from typing import Any

import pypdf._cmap
import pytest
import typst
from drawn_pictures import pdf, written_pdf
from hostile_worker import hostile_worker

from dataagent_core.errors import ToolExecutionError, ValidationError
from dataagent_core.tools.child_process import ChildLimits, run_child
from dataagent_core.tools.media import pdf_text as pdf_text_module
from dataagent_core.tools.media import pdf_worker
from dataagent_core.tools.media.pdf_text import PDF_WORKER_FILE, read_pdf_text


async def test_a_reader_that_is_taken_over_reaches_neither_files_nor_the_network(
    tmp_path: Path,
) -> None:
    worker = hostile_worker(tmp_path, PDF_WORKER_FILE, "_read_text", '" ".join(done)')
    head, possible = await run_child(worker, {}, b"", ChildLimits(20, 1_000_000_000))
    assert head is not None
    assert head["problem"] == ""
    assert possible == b""


async def test_a_page_in_chinese_is_read(tmp_path: Path) -> None:
    source = tmp_path / "a.typ"
    source.write_text("= 收入 Revenue\n12.5 万元\n#pagebreak()\nEnd")
    found = await read_pdf_text(typst.compile(source))
    assert found.text == "[page 1]\n收入 Revenue\n12.5 万元\n\n[page 2]\nEnd"
    assert (found.pages, found.pages_read, found.is_cut) == (2, 2, False)


def test_every_codec_that_pypdf_or_a_font_may_name_is_opened_before_files_are_given_up() -> None:
    known = {_codec(name) for name in pypdf._cmap._predefined_cmap.values()}  # pyright: ignore[reportPrivateUsage]
    for file in Path(pypdf.__file__).parent.rglob("*.py"):
        names = re.findall(r"""["']([a-z][\w-]{2,15})["']""", file.read_text("utf-8"))
        known |= {_codec(name) for name in names}
    assert "utf-16-le" in known
    opened = {_codec(name) for name in pdf_worker._CODECS}  # pyright: ignore[reportPrivateUsage]
    # Python itself begins with this one.
    assert known - {None, "utf-8"} <= opened


def _codec(name: str) -> str | None:
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


async def test_a_page_that_cannot_be_read_is_counted() -> None:
    found = await read_pdf_text(written_pdf("first page", None))
    assert found.text == "[page 1]\nfirst page"
    assert found.missing == "1 of 2 pages cannot be read."


# Keys are random; with these seeds the second byte of the entry is zero, as in UTF-16.
_SEEDS = {"/O": 123, "/U": 139, "/OE": 14, "/UE": 895}


@pytest.mark.parametrize("entry", _SEEDS)
async def test_a_document_that_is_locked_against_changes_only_is_read(
    monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    monkeypatch.setattr(secrets, "token_bytes", random.Random(_SEEDS[entry]).randbytes)
    data = written_pdf("words", owner_password="known to few")
    encryption: Any = pypdf.PdfReader(io.BytesIO(data)).trailer["/Encrypt"]
    assert encryption[entry].original_bytes[1] == 0
    found = await read_pdf_text(data)
    assert found.text == "[page 1]\nwords"


async def test_a_long_document_is_cut_and_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("PDF_TEXT_CHARS_MAX", 8), ("PDF_PAGE_TEXT_CHARS_MAX", 5)):
        monkeypatch.setattr(pdf_text_module, name, value)
    found = await read_pdf_text(written_pdf("first page", "second page", "third page"))
    assert found.text == "[page 1]\nfirst\n\n[page 2]\nsec"
    assert (found.pages, found.pages_read, found.is_cut) == (3, 2, True)
    assert found.missing == "Only a part of 2 of 3 pages."


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (written_pdf("secret", password="known to few"), "password"),
        (written_pdf("", ""), "may be a scan"),
        (pdf(), "damaged|may be a scan"),
        (b"%PDF-1.7 and no more", "damaged"),
        (written_pdf("", None), "damaged"),
    ],
    ids=["locked", "empty", "hollow", "cut", "unreadable"],
)
async def test_a_document_without_text_is_a_sentence(data: bytes, why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        await read_pdf_text(data)


async def test_a_document_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_text_module, "PDF_TEXT_S_MAX", 0.001)
    with pytest.raises(ToolExecutionError, match="cannot be read within"):
        await read_pdf_text(written_pdf("words"))
