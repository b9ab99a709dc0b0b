"""Prose as HTML: every tag is written here, every word is escaped. Pure."""

from collections.abc import Iterable
from html import escape

from dataagent_core.tools.data.reports.prose import Node

_TAGS = {
    "paragraph": "p",
    "bullets": "ul",
    "item": "li",
    "quote": "blockquote",
    "row": "tr",
    "head": "th",
    "cell": "td",
    "strong": "strong",
    "em": "em",
    "strike": "s",
    "code_span": "code",
}
_ALONE = {"rule": "<hr>", "break": "<br>", "line": "\n"}


def prose_html(nodes: Iterable[Node]) -> str:
    """Write prose."""
    return "".join(_node(node) for node in nodes)


def _node(node: Node) -> str:
    inner = escape(node.text) + prose_html(node.children)
    match node.kind:
        case "code":
            return f"<pre><code>{inner}</code></pre>"
        case "heading":
            level = min(node.level + 1, 6)
            return f"<h{level}>{inner}</h{level}>"
        case "numbers":
            return f'<ol start="{node.level}">{inner}</ol>'
        case "table":
            return f'<div class="table"><table>{inner}</table></div>'
        case "link" if node.href:
            return f'<a href="{escape(node.href)}" rel="noopener noreferrer">{inner}</a>'
        case kind:
            return _ALONE.get(kind) or (
                f"<{_TAGS[kind]}>{inner}</{_TAGS[kind]}>" if kind in _TAGS else inner
            )
