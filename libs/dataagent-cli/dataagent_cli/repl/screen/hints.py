"""The lines between the live part and the input: queued messages and hints. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from prompt_toolkit.formatted_text import StyleAndTextTuples

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.repl.limits import QUEUE_ROWS_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class HintState:
    """The state that the lines show."""

    # Sent, but its run has not started.
    sent: str | None
    queued: Sequence[str]
    # Why a key did nothing, or what it does next.
    hint: str
    question_waits: bool


def hint_lines(waiting: HintState, say: Messages, width_cells: int) -> StyleAndTextTuples:
    """Draw the lines."""
    lines: list[tuple[str, str]] = []
    if waiting.sent is not None:
        lines.append(("class:queued", say("repl_sent", text=one_line(waiting.sent))))
    shown = waiting.queued[:QUEUE_ROWS_MAX]
    lines += [("class:queued", say("repl_queued", text=one_line(text))) for text in shown]
    if more := len(waiting.queued) - len(shown):
        lines.append(("class:queued", say("repl_queued_more", count=more)))
    if waiting.queued:
        lines.append(("class:queued", say("repl_queue_how")))
    if waiting.question_waits:
        lines.append(("class:hint", say("repl_question_waits")))
    if waiting.hint:
        lines.append(("class:hint", waiting.hint))
    fragments: StyleAndTextTuples = []
    for number, (style, text) in enumerate(lines):
        fragments.append((style, ("\n" if number else "") + cut(text, width_cells - 1)))
    return fragments
