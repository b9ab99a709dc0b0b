"""Text that was piped in beside a prompt, as in `git diff | dataagent run "review this"`.

The text is put below the prompt, between marks it cannot forge, and shortened if it is too long. It
is not the person's own text.
"""

import os
import select
import stat
import sys
from dataclasses import dataclass

from dataagent_cli.messages import Messages
from dataagent_core.config.limits import PROMPT_CHARS_MAX
from dataagent_core.errors import ValidationError

PIPED_CHARS_MAX = 200_000
# The program that started us may keep the pipe open and never write.
FIRST_BYTE_S_MAX = 3.0
_UTF8_BYTES_MAX = 4
_READ_BYTES = 65_536
# The length of the marks and the note about a cut.
_AROUND_CHARS = 300


@dataclass(frozen=True, slots=True)
class PipedText:
    """The text that was read, and whether it was cut."""

    text: str
    cut: bool


class SilentPipeError(Exception):
    """Standard input is open, but no byte arrives."""


def is_piped(descriptor: int) -> bool:
    """Say whether a descriptor is a pipe or a file."""
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:  # closed, as by `<&-`
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def read_piped(descriptor: int, chars_max: int, say: Messages) -> PipedText | None:
    """Read the piped text; None if there is none."""
    if not select.select([descriptor], [], [], FIRST_BYTE_S_MAX)[0]:
        raise SilentPipeError
    bytes_max = chars_max * _UTF8_BYTES_MAX
    data = b""
    # One more than the limit shows whether the text must be cut.
    while len(data) <= bytes_max and (part := os.read(descriptor, _READ_BYTES)):
        data += part
    text = _decode(data[:bytes_max], whole=len(data) <= bytes_max, say=say)
    piped = PipedText(text[:chars_max], cut=len(text) > chars_max or len(data) > bytes_max)
    return piped if piped.text.strip() else None


def mark_text(piped: PipedText, say: Messages) -> str:
    """Put the text between marks that do not occur in it. Pure."""
    name, number = "stdin", 1
    while f"</{name}>" in piped.text:
        number += 1
        name = f"stdin-{number}"
    end = f"\n{say('piped_cut', chars=len(piped.text))}" if piped.cut else ""
    line_end = "" if piped.text.endswith("\n") else "\n"
    return f"<{name}>\n{piped.text}{line_end}</{name}>{end}"


def max_piped_chars(prompt: str) -> int:
    """Return how many characters may be put below a prompt."""
    return max(min(PIPED_CHARS_MAX, PROMPT_CHARS_MAX - len(prompt) - _AROUND_CHARS), 0)


def standard_input() -> int | None:
    """Return the descriptor of standard input, if there is one."""
    try:
        return sys.stdin.fileno()
    except (OSError, ValueError):  # a replacement without a descriptor, or closed since
        return None


def _decode(data: bytes, *, whole: bool, say: Messages) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The last character may have been cut in two.
        if not whole and len(data) - error.start < _UTF8_BYTES_MAX:
            return data[: error.start].decode("utf-8-sig")
        byte = data[error.start]
        raise ValidationError(say("not_utf8_stdin", position=error.start + 1, byte=byte)) from error
