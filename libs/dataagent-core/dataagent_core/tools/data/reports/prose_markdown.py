"""Prose as Markdown again, with only the markup that was read: HTML in it is text. Pure."""

import re
from collections.abc import Iterable

from dataagent_core.tools.data.reports.prose import Node

# What begins markup in a line; HTML among it, since many readers obey it.
_MARKUP = re.compile(r"([\\`*_\[\]~|&])")
_LINE_START = re.compile(r"^(\s*)([#+\-=>])", re.MULTILINE)
_NUMBERED = re.compile(r"^(\s*\d+)([.)])", re.MULTILINE)


def prose_markdown(nodes: Iterable[Node], indent: str = "") -> str:
    """Write prose; the lines after the first begin with `indent`."""
    text = "\n\n".join(_block(node) for node in nodes)
    return text.replace("\n", f"\n{indent}") if indent else text


def _block(node: Node) -> str:  # noqa: PLR0911 - one for each kind
    match node.kind:
        case "heading":
            return f"{'#' * min(node.level + 1, 6)} {_inline(node.children)}"
        case "bullets":
            return "\n".join(f"- {prose_markdown(item.children, '  ')}" for item in node.children)
        case "numbers":
            return "\n".join(
                f"{n}. {prose_markdown(item.children, '   ')}"
                for n, item in enumerate(node.children, node.level)
            )
        case "quote":
            return "> " + prose_markdown(node.children).replace("\n", "\n> ")
        case "code":
            return fenced(node.text)
        case "rule":
            return "---"
        case "table":
            rows = [[_inline(cell.children) for cell in row.children] for row in node.children]
            rule = ["---"] * len(rows[0]) if rows else []
            return "\n".join(
                [*map(markdown_row, rows[:1]), markdown_row(rule), *map(markdown_row, rows[1:])]
            )
        case _:
            return _inline(node.children or (node,))


def _inline(nodes: Iterable[Node]) -> str:
    return "".join(_span(node) for node in nodes)


def _span(node: Node) -> str:  # noqa: PLR0911 - one for each kind
    inner = _inline(node.children)
    match node.kind:
        case "strong":
            return f"**{inner}**"
        case "em":
            return f"*{inner}*"
        case "strike":
            return f"~~{inner}~~"
        case "code_span":
            ticks = "`" * (max((len(t) for t in re.findall("`+", node.text)), default=0) + 1)
            return f"{ticks} {node.text} {ticks}" if "`" in node.text else f"`{node.text}`"
        case "link":
            target = node.href.replace("<", "%3C").replace(">", "%3E")
            return f"[{inner}](<{target}>)" if node.href else inner
        case "break":
            return "  \n"
        case "line":
            return "\n"
        case _:
            return plain(node.text) + inner


def plain(text: str) -> str:
    """Write text that is only text."""
    escaped = _LINE_START.sub(r"\1\\\2", _MARKUP.sub(r"\\\1", text))
    return _NUMBERED.sub(r"\1\\\2", escaped).replace("<", "&lt;")


def fenced(text: str, language: str = "") -> str:
    """Write code with a fence that nothing inside ends."""
    ticks = "`" * max(3, max((len(t) for t in re.findall("`+", text)), default=0) + 1)
    return f"{ticks}{language}\n{text.rstrip()}\n{ticks}"


def markdown_row(cells: Iterable[str]) -> str:
    """Write one row of a table."""
    return f"| {' | '.join(cells)} |"
