"""Neutralizes foreign text for Markdown, so that it is shown as text only. Pure."""

import json
import re
from typing import Any

from dataagent_core.config.limits.sessions import EXPORT_RESULT_CHARS_MAX

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
# The beginning of a tag, and of a picture that would be loaded.
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_PICTURE = re.compile(r"!(?=\[)")
_BACKTICKS = re.compile(r"`+")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """Replace control characters and marks that change the writing direction."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def as_text(value: Any, chars_max: int = EXPORT_RESULT_CHARS_MAX) -> str:
    """Format arguments or a result of a tool, cut if it is very long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    if len(text) > chars_max:
        text = f"{text[:chars_max]}\n… ({len(text) - chars_max:,} more characters)"
    return visible(text)


def fence_text(text: str, language: str = "") -> str:
    """Put a text into a code block whose fence does not occur in it."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"{fence}{language}\n{text}\n{fence}"


def in_line(text: str) -> str:
    """Format a short text as inline code."""
    shown = " ".join(visible(text).split()).replace("`", "'").replace("|", "¦")
    return f"`{shown}`" if shown else "``"


def tame_markdown(text: str) -> str:
    """Keep Markdown, without HTML and without pictures."""
    lines: list[str] = []
    fence = ""
    for line in visible(text).split("\n"):
        found = _FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
            lines.append(line)
        elif found:
            fence = found[1]
            lines.append(line)
        else:
            lines.append(_tame_line(line))
    if fence:
        # An open fence would include all that follows.
        lines.append(fence)
    return "\n".join(lines)


def _tame_line(line: str) -> str:
    tame = ""
    at = 0
    for code in _CODE.finditer(line):
        tame += _tame_text(line[at : code.start()]) + code.group()
        at = code.end()
    return tame + _tame_text(line[at:])


def _tame_text(text: str) -> str:
    return _PICTURE.sub(r"\!", _TAG.sub("&lt;", text))
