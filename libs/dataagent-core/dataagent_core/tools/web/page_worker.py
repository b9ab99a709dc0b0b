"""A worker of `child_process` that reads one HTML page.

Of three HTML parsers measured, two ran past 20 s on two megabytes of attributes and the third ran
out of stack on nesting. So a page is parsed where it can be killed.
"""

import importlib
import re
from typing import Any

_NOISE = "script, style, noscript, template, iframe, object, embed, svg, canvas, link, meta"
_FRAME = "nav, header, footer, aside, form, button, dialog"
_BODIES = ("main", "article", "[role=main]", "body")
# A landmark with less text than this is a menu or a teaser, not the page.
_BODY_CHARS_MIN = 200


def prepare(job: dict[str, Any]) -> None:
    """Import what the job needs, before files are given up."""
    importlib.import_module("selectolax.lexbor")
    if not job["selector"]:
        importlib.import_module("markdownify")


def work(job: dict[str, Any], _data: bytes) -> tuple[dict[str, Any], bytes]:
    """Read a page; everything there is to say is in the head."""
    read = _select if job["selector"] else _readable
    return read(job), b""


def _parse(html: str) -> Any:
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser(html)


def _readable(job: dict[str, Any]) -> dict[str, Any]:
    tree = _parse(job["html"])
    title = tree.css_first("title")
    title_text = " ".join(title.text().split()) if title is not None else ""
    for node in tree.css(_NOISE):
        node.decompose()
    body = _main_part(tree)
    text = _markdown(body, job["html_chars_max"])
    return {"title": title_text[: job["title_chars_max"]], "text": text[: job["chars_max"]]}


def _main_part(tree: Any) -> Any:
    for selector in _BODIES:
        node = tree.css_first(selector)
        if node is not None and len(node.text(strip=True)) >= _BODY_CHARS_MIN:
            if selector == "body":
                # Only a page without landmarks is stripped of its frame: inside an article a
                # header holds the headline.
                for frame in node.css(_FRAME):
                    if frame.css_first("h1") is None:
                        frame.decompose()
            return node
    return tree.body


def _markdown(node: Any, html_chars_max: int) -> str:
    if node is None:
        return ""
    from markdownify import MarkdownConverter

    converter = MarkdownConverter(heading_style="ATX", bullets="-", strip=["img"])
    try:
        text = converter.convert(node.html[:html_chars_max])
    except RecursionError:
        text = node.text(separator="\n", strip=True)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text)).strip()


def _select(job: dict[str, Any]) -> dict[str, Any]:
    from selectolax.lexbor import SelectolaxError

    tree = _parse(job["html"])
    try:
        found = tree.css(job["selector"])
    except SelectolaxError as error:
        return {"problem": str(error)}
    texts: list[str] = []
    room = job["chars_max"]
    for node in found:
        text = "\n".join(filter(None, map(str.strip, node.text(separator="\n").splitlines())))
        texts.append(text[:room])
        room -= len(text)
        if room <= 0:
            break
    return {"texts": texts, "found": len(found)}
