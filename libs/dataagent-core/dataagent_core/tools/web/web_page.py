"""What a page says: its readable Markdown, or the text of the elements a selector picks.

The reading is `page_worker.py`'s, in a child process; here its job is set, its answer understood.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dataagent_core.config.limits import (
    WEB_HTML_CHARS_MAX,
    WEB_HTML_CONVERTED_CHARS_MAX,
    WEB_PARSE_MEMORY_BYTES_MAX,
    WEB_PARSE_S,
    WEB_RESULT_BYTES_MAX,
    WEB_SELECTOR_CHARS_MAX,
    WEB_TITLE_CHARS_MAX,
)
from dataagent_core.errors import ToolExecutionError, ValidationError
from dataagent_core.tools.child_process import ChildLimits, run_child

PAGE_WORKER_FILE: Final = Path(__file__).with_name("page_worker.py")


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page as a person would read it."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class PageElements:
    """The texts of what a selector found, as far as they fit, and how many there are."""

    texts: tuple[str, ...]
    found: int


async def extract_page(html: str) -> WebPage:
    """Turn a page into Markdown without scripts, styles, menus and frames."""
    read = await _work(html, selector="")
    return WebPage(title=read["title"], text=read["text"])


async def select_elements(html: str, selector: str) -> PageElements:
    """Give the text of the elements a CSS selector picks."""
    if not selector.strip() or len(selector) > WEB_SELECTOR_CHARS_MAX:
        raise ValidationError(
            f"The selector has {len(selector)} characters; give 1 to {WEB_SELECTOR_CHARS_MAX}, "
            "as in 'table.prices td'."
        )
    read = await _work(html, selector=selector)
    if problem := read.get("problem"):
        raise ValidationError(
            f"{selector!r} is not a CSS selector ({problem}). Write one such as 'h2 a[href]'."
        )
    return PageElements(texts=tuple(read["texts"]), found=read["found"])


async def _work(html: str, selector: str) -> dict[str, Any]:
    job = {
        "html": html[:WEB_HTML_CHARS_MAX],
        "selector": selector,
        "html_chars_max": WEB_HTML_CONVERTED_CHARS_MAX,
        "title_chars_max": WEB_TITLE_CHARS_MAX,
        "chars_max": WEB_RESULT_BYTES_MAX + 1,
    }
    limits = ChildLimits(WEB_PARSE_S, WEB_PARSE_MEMORY_BYTES_MAX)
    try:
        read, _ = await run_child(PAGE_WORKER_FILE, job, b"", limits)
    except TimeoutError as error:
        raise _too_hard() from error
    if read is None:
        raise _too_hard()
    return read


def _too_hard() -> ToolExecutionError:
    return ToolExecutionError(
        f"The page cannot be read within {WEB_PARSE_S:g} s and "
        f"{WEB_PARSE_MEMORY_BYTES_MAX:,} bytes of memory: it is too large, too deeply nested "
        "or made to be so. http_request shows it as it is."
    )
