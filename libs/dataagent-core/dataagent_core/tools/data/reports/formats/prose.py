"""Parses Markdown into a small tree, which each format of a report renders.

The parser is markdown-it. Raw HTML is text, an image becomes its description, and a link to
anything but the web or a mailbox is dropped.
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
# Nodes that hold only text; an image is its description.
_TEXT_KINDS: dict[str, Kind] = {
    "text": "text",
    "html_inline": "text",
    "html_block": "text",
    "image": "text",
    "code_inline": "code_span",
    "fence": "code",
    "code_block": "code",
}
# Nodes that only hold other nodes.
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
    """Parse Markdown."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": REPORT_PROSE_DEEP_MAX})
    tokens = parser.enable(["table", "strikethrough"]).parse(markdown)
    count = sum(1 + len(token.children or ()) for token in tokens)
    if count > REPORT_PROSE_NODES_MAX:
        raise ValidationError(
            f"A text has {count:,} pieces of Markdown, {REPORT_PROSE_NODES_MAX:,} are possible. "
            "Split it into several blocks."
        )
    return _convert_children(SyntaxTreeNode(tokens))


def _convert_children(parent: SyntaxTreeNode) -> tuple[ProseNode, ...]:
    found: list[ProseNode] = []
    for child in parent.children:
        if child.type in _TRANSPARENT:
            found.extend(_convert_children(child))
        else:
            found.append(_convert_node(child))
    return tuple(found)


def _convert_node(node: SyntaxTreeNode) -> ProseNode:
    if node.type in _TEXT_KINDS:
        return ProseNode(_TEXT_KINDS[node.type], node.content)
    children = _convert_children(node)
    match node.type:
        case "link":
            return ProseNode(
                "link", children=children, href=_filter_link(str(node.attrs.get("href", "")))
            )
        case "heading":
            return ProseNode("heading", children=children, level=int(node.tag[1:]))
        case "ordered_list":
            return ProseNode("numbers", children=children, level=int(node.attrs.get("start", 1)))
        case other:
            return ProseNode(_KINDS.get(other, "paragraph"), children=children)


def _filter_link(href: str) -> str:
    try:
        scheme = urlsplit(href).scheme.lower()
    except ValueError:
        return ""
    is_allowed = scheme in _SCHEMES and len(href) <= WEB_URL_CHARS_MAX and href.isprintable()
    return href if is_allowed else ""
