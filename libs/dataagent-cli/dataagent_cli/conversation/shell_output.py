"""The output of the person's own shell lines (`!`), sent with the next message. Pure.

It is put below the message, between marks it cannot forge, and is not the person's own text.
"""

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dataagent_cli.conversation.port import AttachedText
from dataagent_core.session.prompt import OWN_WORDS_KEY, own_words

OUTPUT_CHARS_MAX: Final = 10_000
OUTPUTS_MAX: Final = 5
# The source of the attached text.
SHELL_LINES: Final = "the output of shell lines"
_MARK: Final = "shell-output"


@dataclass(frozen=True, slots=True)
class ShellOutput:
    """The output of one line, and its exit code."""

    command: str
    text: str
    exit_code: int | None


class ShellOutputs:
    """Keeps the newest outputs until a message takes them."""

    def __init__(self) -> None:
        self._outputs: deque[ShellOutput] = deque(maxlen=OUTPUTS_MAX)

    def add(self, output: ShellOutput) -> None:
        self._outputs.append(output)

    def take(self) -> list[ShellOutput]:
        """Return the outputs for one message."""
        taken = list(self._outputs)
        self._outputs.clear()
        return taken

    def put_back(self, taken: Sequence[ShellOutput]) -> None:
        """Keep outputs again that a message did not take."""
        self._outputs.extendleft(reversed(taken))


def with_outputs(
    others: AttachedText | None, outputs: Sequence[ShellOutput]
) -> AttachedText | None:
    """Put outputs below a message and the text attached to it."""
    if not outputs:
        return others
    text = "\n\n".join(map(_format_block, outputs))
    if others is None:
        return AttachedText(text, SHELL_LINES)
    return AttachedText(f"{others.text}\n\n{text}", f"{others.source} and {SHELL_LINES}")


def visible_text(text: str, metadata: Mapping[str, Any]) -> str:
    """Return a message without the outputs below it: they were shown when the lines ran."""
    own = own_words(text, metadata)
    has_outputs = OWN_WORDS_KEY in metadata and text[len(own) :].startswith(f"\n\n<{_MARK}")
    return own if has_outputs else text


def _format_block(output: ShellOutput) -> str:
    text = _shorten(output.text.rstrip("\n"))
    mark, number = _MARK, 1
    while f"</{mark}>" in text:
        number += 1
        mark = f"{_MARK}-{number}"
    command = json.dumps(output.command.strip(), ensure_ascii=False).replace("<", r"\u003c")
    lines = [f"<{mark} command={command} exit_code={output.exit_code}>", text, f"</{mark}>"]
    return "\n".join(line for line in lines if line)


def _shorten(text: str) -> str:
    """Keep the beginning and the end: errors are at the end."""
    left_out = len(text) - OUTPUT_CHARS_MAX
    if left_out <= 0:
        return text
    half = OUTPUT_CHARS_MAX // 2
    return f"{text[:half]}\n[... {left_out:,} characters left out ...]\n{text[-half:]}"
