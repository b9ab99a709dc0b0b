"""One block of Markdown as lines that fit the screen. Pure.

HTML is shown as it was written, so that nothing a model wrote is hidden. Parsed text is sanitized
again, because an entity such as `&#x202e;` becomes a character only in the parser. An address is
always written out; it is clickable only if it leads to the web. Code is coloured only in common
languages and up to a length: some lexers take quadratic time on hostile text.
"""

from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from rich.style import Style
from rich.syntax import Syntax
from rich.text import Text

from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.transcript.limits import COLOURED_CHARS_MAX
from dataagent_cli.transcript.markdown.blocks import Block
from dataagent_cli.transcript.markdown.tables import Column, Side, table_lines
from dataagent_cli.transcript.terminal.line_breaks import fold_line, prefix_lines, wrap_text
from dataagent_cli.transcript.terminal.symbols import BULLET, QUOTE, RULE, draw_symbols
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

_STYLES = {"strong": "bold", "em": "italic", "s": "strike"}
_CODE = "cyan"
_LINK = "underline"
_ADDRESS = "dim"
_CLICKABLE = ("http://", "https://", "file://")
_INDENT = Text("  ")
_THEME = "ansi_dark"
_NAMES = """
    bash c c++ console cpp csharp css csv diff dockerfile go html ini java javascript js json jsx
    kotlin latex lua make makefile markdown md mysql perl php plpgsql postgresql powershell py
    python python3 r rb rs ruby rust scala scss sh shell sql sqlite3 swift toml ts tsx typescript
    xml yaml yml zsh
"""
_LANGUAGES = frozenset(_NAMES.split())
_OTHER_NAMES = {"sqlite3": "sql", "jsx": "javascript", "rs": "rust"}
# Nested lists are indented only while there is space to read.
_ROOM_CELLS_MIN = 16
_ITEM_INDENT = Text("   ")
_HEADINGS = {"h1": "bold underline", "h2": "bold", "h3": "bold italic"}
_HEADING = "italic"
_SIGN = "dim"
_ALIGNED: dict[str, Side] = {"text-align:right": "right", "text-align:center": "center"}


def block_lines(block: Block, look: TerminalStyle) -> list[Text]:
    """Write a block; the caller writes the gap before it."""
    width = look.room_cells
    match block.kind:
        case "code":
            lines = code_lines(block.lines, block.language, width)
        case "more":
            inner = _render_nodes(_parse(block), look, width - len(_ITEM_INDENT))
            lines = prefix_lines(_ITEM_INDENT, _ITEM_INDENT, inner)
        case "text" | "table" | "quote" | "item":
            lines = _render_nodes(_parse(block), look, width, block.number)
    return [draw_symbols(line, look) for line in lines]


@cache
def _parser() -> MarkdownIt:
    # A link definition is not found block by block; it is shown instead of hidden.
    parser = MarkdownIt("commonmark", {"html": False})
    return parser.enable(["table", "strikethrough"]).disable(["reference", "html_block"])


def _parse(block: Block) -> SyntaxTreeNode:
    return SyntaxTreeNode(_parser().parse("\n".join(block.lines)))


def _render_nodes(
    parent: SyntaxTreeNode, look: TerminalStyle, width: int, number: int | None = None
) -> list[Text]:
    lines: list[Text] = []
    for node in parent.children:
        found = _render_node(node, look, width, number)
        if lines and found and parent.type == "root":
            lines.append(Text())
        lines += found
    return lines


def _render_node(  # noqa: PLR0911 (one row per kind)
    node: SyntaxTreeNode, look: TerminalStyle, width: int, number: int | None
) -> list[Text]:
    match node.type:
        case "paragraph":
            return wrap_text(_render_inline(node, look), width)
        case "heading":
            # The sign stays: without colours nothing else marks a heading.
            text = Text(f"{'#' * int(node.tag[1:])} ") + _render_inline(node, look)
            text.stylize(_HEADINGS.get(node.tag, _HEADING))
            return wrap_text(text, width)
        case "fence" | "code_block":
            code = sanitize_text(node.content).removesuffix("\n").split("\n")
            return code_lines(code, node.info.split(" ")[0], width)
        case "hr":
            return [Text(RULE * width, style="dim")]
        case "blockquote":
            return _put_sign_before(f"{QUOTE} ", node, look, width, every=True)
        case "bullet_list":
            return [
                line
                for item in node.children
                for line in _put_sign_before(f" {BULLET} ", item, look, width)
            ]
        case "ordered_list":
            first = int(node.attrs.get("start", 1)) if number is None else number
            return [
                line
                for at, item in enumerate(node.children, first)
                for line in _put_sign_before(f"{at}. ".rjust(len(_ITEM_INDENT)), item, look, width)
            ]
        case "table":
            return _render_table(node, look, width)
        case _:
            return wrap_text(Text(sanitize_text(node.content)), width) if node.content else []


def _put_sign_before(
    sign: str, node: SyntaxTreeNode, look: TerminalStyle, width: int, *, every: bool = False
) -> list[Text]:
    """Put a sign before the first line, or every line; above them if there is no space."""
    first = Text(sign, style=_SIGN)
    room = width - len(sign)
    if room < _ROOM_CELLS_MIN:
        return [first, *_render_nodes(node, look, width)]
    others = first if every else Text(" " * len(sign))
    return prefix_lines(first, others, _render_nodes(node, look, room) or [Text()])


def _render_inline(node: SyntaxTreeNode, look: TerminalStyle) -> Text:
    text = Text()
    for child in node.children:
        if child.token is not None:
            text.append_text(inline_text(child.token.children or [], look))
    return text


def _render_table(node: SyntaxTreeNode, look: TerminalStyle, width: int) -> list[Text]:
    found = [row for part in node.children for row in part.children]
    if not found:
        return []
    head, *body = [[_render_inline(cell, look) for cell in row.children] for row in found]
    columns = [
        Column(text, _ALIGNED.get(str(cell.attrs.get("style", "")), "left"))
        for text, cell in zip(head, found[0].children, strict=True)
    ]
    rows = [[*row, *[Text()] * (len(columns) - len(row))][: len(columns)] for row in body]
    return table_lines(columns, rows, width)


def inline_text(tokens: Sequence[Token], look: TerminalStyle) -> Text:
    """Write the tokens of one paragraph; line breaks stay line breaks."""
    text = Text()
    styles: list[str] = []
    links: list[tuple[str, int]] = []
    for token in tokens:
        match token.type:
            case "softbreak" | "hardbreak":
                text.append("\n")
            case "code_inline":
                text.append(sanitize_text(token.content), style=_join_styles([*styles, _CODE]))
            case "image":
                name = one_line(token.content)
                address = one_line(str(token.attrs.get("src", "")))
                text.append(f"[{name}] ({address})", style=_ADDRESS)
            case "link_open":
                links.append((one_line(str(token.attrs.get("href", ""))), len(text)))
            case "link_close":
                if links:
                    _end_link(text, *links.pop(), look)
            case _ if token.nesting > 0:
                styles.append(_STYLES.get(token.tag, ""))
            case _ if token.nesting < 0:
                styles = styles[:-1]
            case _:
                text.append(sanitize_text(token.content), style=_join_styles(styles))
    return text


def _end_link(text: Text, address: str, start: int, look: TerminalStyle) -> None:
    link_text = text.plain[start:]
    text.stylize(_LINK, start)
    # The link text may look like another address than the real one.
    if link_text.strip() not in {address, address.removeprefix("mailto:")}:
        text.append(f" ({address})", style=_ADDRESS)
    if look.links and address.lower().startswith(_CLICKABLE) and address.isascii():
        text.stylize(Style(link=address), start)


def _join_styles(styles: Sequence[str]) -> str:
    return " ".join(style for style in styles if style)


def code_lines(lines: Sequence[str], language: str, width_cells: int) -> list[Text]:
    """Write code, indented; a line that does not fit is folded."""
    code = "\n".join(lines)
    name = language.lower()
    if name in _LANGUAGES and len(code) <= COLOURED_CHARS_MAX:
        text = Syntax(code, _OTHER_NAMES.get(name, name), theme=_THEME).highlight(code)
    else:
        text = Text(code)
    # The lexer may add a line break, and must not remove one.
    coloured = text.split("\n", allow_blank=True)[: len(lines)]
    room = width_cells - len(_INDENT)
    return prefix_lines(
        _INDENT, _INDENT, [part for line in coloured for part in fold_line(line, room)]
    )
