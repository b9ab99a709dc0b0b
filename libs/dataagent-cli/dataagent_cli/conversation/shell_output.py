"""The output of the person's own shell lines (`!`), given to the model with the next message. Pure.

It stands below the message, between marks it cannot forge, and is not the person's words.
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
# Whose words they are.
SHELL_LINES: Final = "the output of shell lines"
_MARK: Final = "shell-output"


@dataclass(frozen=True, slots=True)
class ShellOutput:
    """What one line wrote, and how it ended."""

    command: str
    text: str
    exit_code: int | None


class ShellOutputs:
    """Keeps the newest outputs until a message takes them along."""

    def __init__(self) -> None:
        self._kept: deque[ShellOutput] = deque(maxlen=OUTPUTS_MAX)

    def add(self, output: ShellOutput) -> None:
        self._kept.append(output)

    def take(self) -> list[ShellOutput]:
        """Give what was kept, for one message."""
        taken = list(self._kept)
        self._kept.clear()
        return taken

    def put_back(self, taken: Sequence[ShellOutput]) -> None:
        """Keep again what a message did not take along after all."""
        self._kept.extendleft(reversed(taken))


def with_outputs(
    others: AttachedText | None, outputs: Sequence[ShellOutput]
) -> AttachedText | None:
    """Put outputs below a message, and below what stands there already."""
    if not outputs:
        return others
    text = "\n\n".join(map(_block, outputs))
    if others is None:
        return AttachedText(text, SHELL_LINES)
    return AttachedText(f"{others.text}\n\n{text}", f"{others.source} and {SHELL_LINES}")


def shown_words(text: str, metadata: Mapping[str, Any]) -> str:
    """Give a message without the outputs below it: they were shown when the lines ran."""
    own = own_words(text, metadata)
    has_outputs = OWN_WORDS_KEY in metadata and text[len(own) :].startswith(f"\n\n<{_MARK}")
    return own if has_outputs else text


def _block(output: ShellOutput) -> str:
    text = _shortened(output.text.rstrip("\n"))
    mark, number = _MARK, 1
    while f"</{mark}>" in text:
        number += 1
        mark = f"{_MARK}-{number}"
    command = json.dumps(output.command.strip(), ensure_ascii=False).replace("<", r"\u003c")
    lines = [f"<{mark} command={command} exit_code={output.exit_code}>", text, f"</{mark}>"]
    return "\n".join(line for line in lines if line)


def _shortened(text: str) -> str:
    """Keep the beginning and the end: errors stand at the end."""
    left_out = len(text) - OUTPUT_CHARS_MAX
    if left_out <= 0:
        return text
    half = OUTPUT_CHARS_MAX // 2
    return f"{text[:half]}\n[... {left_out:,} characters left out ...]\n{text[-half:]}"
