"""The status line: model, context used, cost, sandbox, mode. Computed from events. Pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rich.cells import cell_len

from dataagent_cli.conversation.port import ConversationFacts
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_core import events as ev

if TYPE_CHECKING:
    from dataagent_core.events import Event

_GAP = "  ·  "
_THOUSAND = 1000


@dataclass(slots=True)
class Totals:
    """The usage so far, from events."""

    context_tokens: int = 0
    context_share: float | None = None
    # Of finished runs; an unknown price makes the sum unknown.
    spent: float = 0.0
    unknown: bool = False
    # Of the active run: its last `cost_update`.
    running: float = 0.0
    currency: str = "USD"

    def see(self, event: "Event") -> None:
        """Take one event into account."""
        match event:
            case ev.StepFinishEvent():
                self.context_tokens = event.tokens.get("input_tokens", self.context_tokens)
            case ev.CostUpdateEvent():
                self.unknown = self.unknown or event.cost is None
                self.running = event.cost or 0.0
                self.currency = one_line(event.currency)[:8]
            case ev.DoneEvent():
                self.spent += self.running
                self.running = 0.0
            case _:
                pass

    @property
    def cost(self) -> float:
        return self.spent + self.running


def status_parts(facts: ConversationFacts, totals: Totals, say: Messages) -> list[str]:
    """Return the parts of the line, the most important first."""
    parts = [say("remote_not_heard")] if facts.away else []
    parts += [say("repl_mode", mode=say(f"repl_mode.{facts.mode}"))]
    if facts.server is not None:
        parts.append(say("remote_at", host=urlsplit(facts.server).netloc))
    parts.append(one_line(facts.model) or say("repl_loading"))
    if totals.context_share is not None:
        parts.append(say("repl_context_share", share=f"{totals.context_share:.0%}"))
    elif totals.context_tokens:
        parts.append(say("repl_context_tokens", tokens=_short(totals.context_tokens)))
    if totals.cost:
        cost = f"{totals.cost:.4f} {totals.currency}"
        parts.append(say("repl_cost_at_least", cost=cost) if totals.unknown else cost)
    if facts.server is None:
        parts.append(say(f"repl_sandbox.{facts.sandbox}"))
    return parts


def status_line(parts: list[str], width_cells: int) -> str:
    """Join as many parts as fit; the first is always shown."""
    line = parts[0]
    for part in parts[1:]:
        longer = line + _GAP + part
        if cell_len(longer) > width_cells:
            break
        line = longer
    return line


def _short(tokens: int) -> str:
    return str(tokens) if tokens < _THOUSAND else f"{tokens / _THOUSAND:.1f}k"
