"""Human requests: a row while one waits, a line once it is answered. Pure.

`approval/` asks the question itself, because showing and asking are one action.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.transcript.calls.call_lines import ICON_STYLES
from dataagent_cli.transcript.calls.calls import CallId, id_of
from dataagent_cli.transcript.calls.tool_line import action
from dataagent_cli.transcript.own_questions import find_way, translate_own
from dataagent_cli.transcript.terminal.symbols import DOT, FAILED, OK, WAITING
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

if TYPE_CHECKING:
    from dataagent_core.events import HITLAnswerEvent, HITLRequestEvent, ToolResultEvent

_NO = frozenset({"respond", "reject", "stop", "skip"})


class Requests:
    """The open requests."""

    def __init__(self, say: Messages) -> None:
        self._say = say
        # With the tag of the sub-agent that asks.
        self._open: dict[str, tuple[HITLRequestEvent, str]] = {}
        # Calls whose refusal is shown already: their result repeats it.
        self.refused: set[CallId] = set()

    def add(self, event: "HITLRequestEvent", tag: str) -> None:
        self._open[event.interrupt_id] = event, tag

    def resolve(self, event: "HITLAnswerEvent", look: TerminalStyle) -> list[Text]:
        """Return the line with the request and the decision."""
        request, tag = self._open.pop(event.interrupt_id, (None, ""))
        kind = "superseded" if event.superseded else str(event.decision.get("type", ""))
        icon = FAILED if event.superseded or kind in _NO else OK
        key = f"answered.{kind}"
        outcome = self._say(key) if self._say.has(key) else one_line(kind)
        if event.decision.get("scope") == "always":
            outcome = self._say("answered_always", said=outcome)
        parts = [outcome, self._decision_text(event.decision, request)]
        if request is not None:
            if kind in _NO:
                ids = (str(one.get("tool_call_id", "")) for one in request.action_requests)
                self.refused.update((request.subagent_id, one) for one in ids if one)
            parts.insert(1, tag + self._describe_request(request))
        text = f" {DOT} ".join(part for part in parts if part)
        line = Text().append(icon, style=ICON_STYLES[icon])
        return [line.append(f" {cut(text, look.room_cells - 2)}")]

    def repeats_refusal(self, result: "ToolResultEvent") -> bool:
        """Say whether a result repeats a refusal; once, as some models reuse an id."""
        if id_of(result) not in self.refused:
            return False
        self.refused.remove(id_of(result))
        return True

    def forget(self) -> None:
        self._open.clear()
        self.refused.clear()

    def rows(self) -> list[str]:
        waits = self._say("waits_for_you")
        return [
            f"{WAITING} {waits} {tag}{self._describe_request(request)}".rstrip()
            for request, tag in self._open.values()
        ]

    def _describe_request(self, request: "HITLRequestEvent") -> str:
        if request.question:
            # A plan to be accepted is on the screen already.
            first = request.question.strip().partition("\n")[0]
            return one_line(translate_own(request, first, self._say))
        found: list[str] = []
        for action_request in request.action_requests:
            args = action_request.get("args")
            known: Mapping[str, object] = args if isinstance(args, dict) else {}
            found.append(action(str(action_request.get("name", "")), known, self._say))
        return ", ".join(found)

    def _decision_text(
        self, decision: Mapping[str, object], request: "HITLRequestEvent | None"
    ) -> str:
        given = decision.get("message") or decision.get("answer")
        texts: list[object] = given if isinstance(given, list) else [given or ""]
        ways = [find_way(request, str(text), self._say) for text in texts]
        said = [self._say(way) if way else str(text) for way, text in zip(ways, texts, strict=True)]
        return one_line(", ".join(said))
