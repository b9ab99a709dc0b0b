"""The tokens of a growing history: only what was added since the last look is counted."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage, ToolMessage

from dataagent_core.config.limits.context import HISTORIES_COUNTED_MAX
from dataagent_core.context.token_counter import TokenCounter


@dataclass(frozen=True, slots=True)
class TokenTotals:
    """What messages cost: results of tools, and everything else."""

    history: int = 0
    results: int = 0

    @property
    def tokens(self) -> int:
        """Both together."""
        return self.history + self.results


@dataclass(frozen=True, slots=True)
class _CountedHistory:
    upto: int
    last_id: str | None
    totals: TokenTotals


class RunningTotals:
    """Totals of histories by their first message and view; sub-agents side by side have theirs."""

    def __init__(self, count: TokenCounter) -> None:
        self._count = count
        self._known: OrderedDict[tuple[str | None, int], _CountedHistory] = OrderedDict()

    def of(self, shown: Sequence[BaseMessage], version: int) -> TokenTotals:
        """Count what is shown; `version` names how the history is shown."""
        if not shown:
            return TokenTotals()
        key = (shown[0].id, version)
        known = self._known.get(key)
        # The last message counted stands where it stood: what is before it was only added to.
        if (
            known is None
            or known.upto > len(shown)
            or shown[known.upto - 1].id != known.last_id
            or known.last_id is None
        ):
            known = _CountedHistory(0, None, TokenTotals())
        history, results = known.totals.history, known.totals.results
        for position in range(known.upto, len(shown)):
            tokens = self._count(shown[position])
            if isinstance(shown[position], ToolMessage):
                results += tokens
            else:
                history += tokens
        totals = TokenTotals(history, results)
        self._known[key] = _CountedHistory(len(shown), shown[-1].id, totals)
        self._known.move_to_end(key)
        if len(self._known) > HISTORIES_COUNTED_MAX:
            self._known.popitem(last=False)
        return totals
