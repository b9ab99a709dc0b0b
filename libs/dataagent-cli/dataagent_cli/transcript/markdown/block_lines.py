"""One block of Markdown as lines that fit the screen. Pure.

HTML is not a language here: it is shown as it was written, so nothing a model wrote is hidden.
"""

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from rich.text import Text

from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.transcript.markdown.blocks import Block
from dataagent_cli.transcript.markdown.code import code_lines
from dataagent_cli.transcript.markdown.inline import inline_text
from dataagent_cli.transcript.markdown.tables import Column, Side, table_lines
from dataagent_cli.transcript.terminal.line_breaks import behind, wrap_text
from dataagent_cli.transcript.terminal.symbols import BULLET, QUOTE, RULE, draw_symbols
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

# Lists in lists move to the right only while there is room to read.
_ROOM_CELLS_MIN = 16
_ITEM_INDENT = Text("   ")
_HEADINGS = {"h1": "bold underline", "h2": "bold", "h3": "bold italic"}
_HEADING = "italic"
_SIGN = "dim"
_ALIGNED: dict[str, Side] = {"text-align:right": "right", "text-align:center": "center"}


def block_lines(block: Block, look: TerminalStyle) -> list[Text]:
    """Write a block; the gap before it is whoever shows it's."""
    width = look.room_cells
    match block.kind:
        case "code":
            lines = code_lines(block.lines, block.language, width)
        case "more":
            inner = _nodes(_parsed(block), look, width - len(_ITEM_INDENT))
            lines = behind(_ITEM_INDENT, _ITEM_INDENT, inner)
        case "text" | "table" | "quote" | "item":
            lines = _nodes(_parsed(block), look, width, block.number)
    return [draw_symbols(line, look) for line in lines]


@cache
def _parser() -> MarkdownIt:
    # A definition far from its link is not found block by block; it is shown instead of hidden.
    parser = MarkdownIt("commonmark", {"html": False})
    return parser.enable(["table", "strikethrough"]).disable(["reference", "html_block"])


def _parsed(block: Block) -> SyntaxTreeNode:
    return SyntaxTreeNode(_parser().parse("\n".join(block.lines)))


def _nodes(
    parent: SyntaxTreeNode, look: TerminalStyle, width: int, number: int | None = None
) -> list[Text]:
    lines: list[Text] = []
    for node in parent.children:
        found = _node(node, look, width, number)
        if lines and found and parent.type == "root":
            lines.append(Text())
        lines += found
    return lines


def _node(node: SyntaxTreeNode, look: TerminalStyle, width: int, number: int | None) -> list[Text]:  # noqa: PLR0911 (one row per kind)
    match node.type:
        case "paragraph":
            return wrap_text(_inline(node, look), width)
        case "heading":
            # The sign stays: without colours nothing else would tell a heading.
            text = Text(f"{'#' * int(node.tag[1:])} ") + _inline(node, look)
            text.stylize(_HEADINGS.get(node.tag, _HEADING))
            return wrap_text(text, width)
        case "fence" | "code_block":
            code = sanitize_text(node.content).removesuffix("\n").split("\n")
            return code_lines(code, node.info.split(" ")[0], width)
        case "hr":
            return [Text(RULE * width, style="dim")]
        case "blockquote":
            return _beside(f"{QUOTE} ", node, look, width, every=True)
        case "bullet_list":
            return [
                line for item in node.children for line in _beside(f" {BULLET} ", item, look, width)
            ]
        case "ordered_list":
            first = int(node.attrs.get("start", 1)) if number is None else number
            return [
                line
                for at, item in enumerate(node.children, first)
                for line in _beside(f"{at}. ".rjust(len(_ITEM_INDENT)), item, look, width)
            ]
        case "table":
            return _table(node, look, width)
        case _:
            return wrap_text(Text(sanitize_text(node.content)), width) if node.content else []


def _beside(
    sign: str, node: SyntaxTreeNode, look: TerminalStyle, width: int, *, every: bool = False
) -> list[Text]:
    """Put a sign before the first line, or every line; above them when there is no room."""
    first = Text(sign, style=_SIGN)
    room = width - len(sign)
    if room < _ROOM_CELLS_MIN:
        return [first, *_nodes(node, look, width)]
    others = first if every else Text(" " * len(sign))
    return behind(first, others, _nodes(node, look, room) or [Text()])


def _inline(node: SyntaxTreeNode, look: TerminalStyle) -> Text:
    text = Text()
    for child in node.children:
        if child.token is not None:
            text.append_text(inline_text(child.token.children or [], look))
    return text


def _table(node: SyntaxTreeNode, look: TerminalStyle, width: int) -> list[Text]:
    found = [row for part in node.children for row in part.children]
    if not found:
        return []
    head, *body = [[_inline(cell, look) for cell in row.children] for row in found]
    columns = [
        Column(text, _ALIGNED.get(str(cell.attrs.get("style", "")), "left"))
        for text, cell in zip(head, found[0].children, strict=True)
    ]
    rows = [[*row, *[Text()] * (len(columns) - len(row))][: len(columns)] for row in body]
    return table_lines(columns, rows, width)
