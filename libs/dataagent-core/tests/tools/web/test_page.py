"""Pages become Markdown in a process that hostile ones cannot take with them."""

import asyncio
import time
from pathlib import Path

import pytest
from hostile_worker import hostile_worker
from leftovers import Leftovers

from dataagent_core.errors import ToolExecutionError, ValidationError
from dataagent_core.tools.child_process import ChildLimits, run_child
from dataagent_core.tools.web.web_page import PAGE_WORKER_FILE, extract_page, select_elements

ARTICLE = """
<html><head><title> A  title </title><style>p {color: red}</style></head><body>
<nav><a href="/">Home</a></nav>
<main><h1>Heading</h1><p>Some <b>bold</b> text with a <a href="https://a.example/">link</a>.
<ul><li>one<li>two</ul><table><tr><th>k</th><th>v</th></tr><tr><td>a</td><td>1</td></tr></table>
<p>PADDING</p><script>steal()</script></main><footer>Imprint</footer></body></html>
""".replace("PADDING", "words " * 50)


async def test_a_page_becomes_markdown_with_its_title() -> None:
    page = await extract_page(ARTICLE)
    assert page.title == "A title"
    assert "# Heading" in page.text
    assert "Some **bold** text with a [link](https://a.example/)." in page.text
    assert "- one\n- two" in page.text
    assert "| a | 1 |" in page.text


async def test_scripts_styles_menus_and_frames_are_left_out() -> None:
    page = await extract_page(ARTICLE)
    for noise in ("steal", "color", "Home", "Imprint"):
        assert noise not in page.text


async def test_a_page_without_landmarks_is_read_whole() -> None:
    page = await extract_page("<p>short")
    assert (page.title, page.text) == ("", "short")


@pytest.mark.parametrize("html", ["", "<", "<!-- ", "\x00", "<html></html>", "<title>", "\ud800"])
async def test_a_page_that_is_hardly_one_is_read_as_nothing_much(html: str) -> None:
    assert len((await extract_page(html)).text) < 20


async def test_deep_nesting_still_gives_the_text() -> None:
    page = await extract_page("<div>" * 3_000 + "at the bottom" + "</div>" * 3_000)
    assert page.text == "at the bottom"


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 400_000,
        "<ul><li>" * 250_000,
        "<div " + " ".join(f"a{number}=1" for number in range(150_000)) + ">",
        "<p><font>" * 200_000,
        "<b>" * 600_000,
        "<table>" * 250_000,
    ],
    ids=["div", "list", "attributes", "font", "bold", "table"],
)
@pytest.mark.slow
async def test_a_page_made_to_be_slow_is_given_up_in_time(
    html: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dataagent_core.tools.web.web_page.WEB_PARSE_S", 1.5)
    began = time.monotonic()
    try:
        await extract_page(html)
    except ToolExecutionError as error:
        assert "http_request shows it" in str(error)  # noqa: PT017 (either end is fine)
    assert time.monotonic() - began < 60


async def test_a_cancelled_reading_leaves_no_process() -> None:
    left = Leftovers()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await extract_page("<div>" * 400_000)
    assert not left.processes


async def test_a_long_page_is_read_from_its_start_in_time() -> None:
    rows = "<p>some <b>words</b> and a <a href='/x'>link</a></p>" * 40_000
    page = await extract_page(f"<title>{'t' * 1_000}</title><main>{rows}</main>")
    assert page.title == "t" * 300
    assert page.text.startswith("some **words** and a [link](/x)\n\nsome")
    assert len(page.text) == 50_001


async def test_elements_are_picked_by_a_selector() -> None:
    elements = await select_elements(ARTICLE, "main li")
    assert (elements.texts, elements.found) == (("one", "two"), 2)
    assert (await select_elements(ARTICLE, "h6")).found == 0


@pytest.mark.parametrize("selector", ["", " ", "a" * 501, "p[", ":::", "h1 >"])
async def test_a_wrong_selector_is_named(selector: str) -> None:
    with pytest.raises(ValidationError, match="selector"):
        await select_elements(ARTICLE, selector)


async def test_only_as_many_elements_are_kept_as_a_result_can_show() -> None:
    elements = await select_elements("<p>" + "word " * 20 + "</p>" + "<p>x</p>" * 100_000, "p")
    assert elements.found == 100_001
    assert sum(map(len, elements.texts)) <= 50_001


async def test_a_parser_that_is_taken_over_reaches_neither_files_nor_the_network(
    tmp_path: Path,
) -> None:
    worker = hostile_worker(tmp_path, PAGE_WORKER_FILE, "_readable", '{"done": done}')
    head, _ = await run_child(worker, {"selector": ""}, b"", ChildLimits(20, 1_000_000_000))
    assert head == {"done": []}
