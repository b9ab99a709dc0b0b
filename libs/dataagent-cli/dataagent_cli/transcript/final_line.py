"""The last line of a run: how it ended, how long it took, what it used. Pure."""

from typing import TYPE_CHECKING

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.transcript.terminal.symbols import DOT

if TYPE_CHECKING:
    from dataagent_core.events import CostUpdateEvent, DoneEvent

_CENTS_FROM = 0.1


def ending(
    event: "DoneEvent", began_s: float, spent: "CostUpdateEvent | None", say: Messages
) -> str:
    """Say how a run ended; tokens and cost only where they are known."""
    parts = [say(f"ended.{event.reason}"), say("took", seconds=max(0.0, event.timestamp - began_s))]
    used = event.token_usage or (spent.tokens if spent else {})
    if tokens := used.get("total_tokens") or used.get("input_tokens", 0) + used.get(
        "output_tokens", 0
    ):
        parts.append(say("used_tokens", tokens=tokens))
    if spent is not None and spent.cost is not None:
        parts.append(money(spent.cost, spent.currency))
    return f" {DOT} ".join(parts)


def money(cost: float, currency: str) -> str:
    """Write a price with as many digits as it needs to be seen."""
    amount = f"{cost:.2f}" if cost >= _CENTS_FROM or cost == 0 else f"{cost:.4f}"
    return f"${amount}" if currency == "USD" else f"{amount} {one_line(currency)[:8]}"
