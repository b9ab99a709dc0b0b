"""Markdown read into a small tree, which each form of a report writes in its own way.

The parser is markdown-it; raw HTML is text to it, images become their description, and a link
leads to the web or a mail box or is no link.
"""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from dataagent_core.config.limits import WEB_URL_CHARS_MAX
from dataagent_core.config.limits.data import REPORT_PROSE_DEEP_MAX, REPORT_PROSE_NODES_MAX
from dataagent_core.errors import ValidationError

Kind = Literal[
    "paragraph",
    "heading",
    "bullets",
    "numbers",
    "item",
    "quote",
    "code",
    "rule",
    "table",
    "row",
    "head",
    "cell",
    "text",
    "strong",
    "em",
    "strike",
    "code_span",
    "link",
    "break",
    "line",
]
_SCHEMES = frozenset({"http", "https", "mailto"})
_KINDS: dict[str, Kind] = {
    "paragraph": "paragraph",
    "heading": "heading",
    "bullet_list": "bullets",
    "ordered_list": "numbers",
    "list_item": "item",
    "blockquote": "quote",
    "hr": "rule",
    "table": "table",
    "tr": "row",
    "th": "head",
    "td": "cell",
    "strong": "strong",
    "em": "em",
    "s": "strike",
    "hardbreak": "break",
    "softbreak": "line",
}
# Nodes that hold text and nothing else; an image is its description.
_WORDS: dict[str, Kind] = {
    "text": "text",
    "html_inline": "text",
    "html_block": "text",
    "image": "text",
    "code_inline": "code_span",
    "fence": "code",
    "code_block": "code",
}
# Nodes that only hold others.
_TRANSPARENT = frozenset({"root", "inline", "thead", "tbody"})


@dataclass(frozen=True, slots=True)
class ProseNode:
    """One piece of prose."""

    kind: Kind
    text: str = ""
    children: tuple["ProseNode", ...] = ()
    # Of a heading; the first number of a list.
    level: int = 0
    href: str = ""


def read_prose(markdown: str) -> tuple[ProseNode, ...]:
    """Read Markdown."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": REPORT_PROSE_DEEP_MAX})
    tokens = parser.enable(["table", "strikethrough"]).parse(markdown)
    count = sum(1 + len(token.children or ()) for token in tokens)
    if count > REPORT_PROSE_NODES_MAX:
        raise ValidationError(
            f"A text has {count:,} pieces of Markdown, {REPORT_PROSE_NODES_MAX:,} are possible. "
            "Split it into several blocks."
        )
    return _nodes(SyntaxTreeNode(tokens))


def _nodes(parent: SyntaxTreeNode) -> tuple[ProseNode, ...]:
    found: list[ProseNode] = []
    for child in parent.children:
        if child.type in _TRANSPARENT:
            found.extend(_nodes(child))
        else:
            found.append(_node(child))
    return tuple(found)


def _node(node: SyntaxTreeNode) -> ProseNode:
    if node.type in _WORDS:
        return ProseNode(_WORDS[node.type], node.content)
    children = _nodes(node)
    match node.type:
        case "link":
            return ProseNode(
                "link", children=children, href=_target(str(node.attrs.get("href", "")))
            )
        case "heading":
            return ProseNode("heading", children=children, level=int(node.tag[1:]))
        case "ordered_list":
            return ProseNode("numbers", children=children, level=int(node.attrs.get("start", 1)))
        case other:
            return ProseNode(_KINDS.get(other, "paragraph"), children=children)


def _target(href: str) -> str:
    try:
        scheme = urlsplit(href).scheme.lower()
    except ValueError:
        return ""
    fits = scheme in _SCHEMES and len(href) <= WEB_URL_CHARS_MAX and href.isprintable()
    return href if fits else ""
