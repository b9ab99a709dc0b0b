"""A step cut into the pieces a model streams. Pure; shared by the model and its HTTP endpoint."""

from dataclasses import dataclass
from typing import Literal

from dataagent_core.models.scripted.script import ScriptedFailure, ScriptedUsage, Step

_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """A bit of the answer; a call's first piece is the one that carries its name and id."""

    kind: Literal["thought", "text", "call"]
    text: str
    position: int = 0
    opens_call: bool = False


def pieces(step: Step) -> list[Piece]:
    """Cut a step: thoughts first, then text, then each tool call's arguments."""
    cut = [Piece("thought", part) for part in _parts(step.thought, step.chunk_chars)]
    cut += [Piece("text", part) for part in _parts(step.text, step.chunk_chars)]
    for position, call in enumerate(step.tool_calls):
        parts = _parts(call.arguments, step.chunk_chars) or [""]
        cut += [Piece("call", part, position, number == 0) for number, part in enumerate(parts)]
    return cut


def first_half(cut: list[Piece]) -> list[Piece]:
    """Keep what arrives before a connection breaks off: something, but not all."""
    return cut[: max(1, len(cut) // 2)]


def play_pieces(step: Step, failure: ScriptedFailure | None) -> list[Piece]:
    """Give the pieces that a try sends."""
    if failure is not None and failure.empty:
        return []
    cut = pieces(step)
    return cut if failure is None else first_half(cut)


def finish_reason(step: Step) -> str:
    """Say why the answer ends, as a provider would."""
    return step.finish_reason or ("tool_calls" if step.tool_calls else "stop")


def token_usage(step: Step, input_chars: int) -> ScriptedUsage:
    """Return the tokens: the script's figures, or an estimate from the text."""
    if step.usage is not None:
        return step.usage
    output_chars = len(step.text) + len(step.thought)
    output_chars += sum(len(call.arguments) for call in step.tool_calls)
    return ScriptedUsage(input_tokens=_tokens(input_chars), output_tokens=_tokens(output_chars))


def _tokens(chars: int) -> int:
    return -(-chars // _CHARS_PER_TOKEN)


def _parts(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
