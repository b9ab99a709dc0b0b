"""The inside of a paragraph: emphasis, code, links, as text in colours. Pure.

What the parser gives is cleaned once more: an entity such as `&#x202e;` only becomes a character
there. An address is always written out; it is clickable only where it leads to the web.
"""

from collections.abc import Sequence

from markdown_it.token import Token
from rich.style import Style
from rich.text import Text

from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

_STYLES = {"strong": "bold", "em": "italic", "s": "strike"}
_CODE = "cyan"
_LINK = "underline"
_ADDRESS = "dim"
_CLICKABLE = ("http://", "https://", "file://")


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
                text.append(sanitize_text(token.content), style=_joined([*styles, _CODE]))
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
                text.append(sanitize_text(token.content), style=_joined(styles))
    return text


def _end_link(text: Text, address: str, start: int, look: TerminalStyle) -> None:
    said = text.plain[start:]
    text.stylize(_LINK, start)
    # What is written may claim to be another address than the one behind it.
    if said.strip() not in {address, address.removeprefix("mailto:")}:
        text.append(f" ({address})", style=_ADDRESS)
    if look.links and address.lower().startswith(_CLICKABLE) and address.isascii():
        text.stylize(Style(link=address), start)


def _joined(styles: Sequence[str]) -> str:
    return " ".join(style for style in styles if style)
