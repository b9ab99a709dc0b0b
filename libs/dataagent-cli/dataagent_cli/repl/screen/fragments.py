"""What rich draws, as the pieces prompt_toolkit draws with. Pure."""

from functools import lru_cache

from prompt_toolkit.formatted_text import StyleAndTextTuples
from rich.color import Color, ColorType
from rich.console import Console, RenderableType
from rich.style import Style

_NAMES = (
    "ansiblack", "ansired", "ansigreen", "ansiyellow", "ansiblue", "ansimagenta", "ansicyan",
    "ansigray", "ansibrightblack", "ansibrightred", "ansibrightgreen", "ansibrightyellow",
    "ansibrightblue", "ansibrightmagenta", "ansibrightcyan", "ansiwhite",
)  # fmt: skip


def fragments_of(renderable: RenderableType, console: Console, rows_max: int) -> StyleAndTextTuples:
    """Draw the last rows of something, with its styles."""
    lines = console.render_lines(renderable, pad=False)[-rows_max:]
    fragments: StyleAndTextTuples = []
    for number, line in enumerate(lines):
        if number:
            fragments.append(("", "\n"))
        for segment in line:
            if not segment.control:
                fragments.append((_style(segment.style), segment.text))
    return fragments


@lru_cache(maxsize=512)
def _style(style: Style | None) -> str:
    if style is None:
        return ""
    parts = [
        name
        for name in ("bold", "dim", "italic", "underline", "reverse", "strike")
        if getattr(style, name)
    ]
    if style.color and (colour := _colour(style.color)):
        parts.append(f"fg:{colour}")
    if style.bgcolor and (colour := _colour(style.bgcolor)):
        parts.append(f"bg:{colour}")
    return " ".join(parts)


def _colour(colour: Color) -> str | None:
    if colour.type is ColorType.DEFAULT:
        return None
    if colour.type is ColorType.STANDARD and colour.number is not None:
        # By name, so that the person's own palette counts.
        return _NAMES[colour.number]
    return colour.get_truecolor().hex
