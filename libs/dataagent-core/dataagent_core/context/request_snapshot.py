"""A request as it is now: how the history is shown, and the tokens of each part.

`RequestSnapshots` keeps the count of a growing history, so that only messages added since the last
snapshot are counted.
"""

from dataclasses import dataclass
from typing import Any

from langchain.agents.middleware.types import ModelRequest

from dataagent_core.context.context_record import REPORT_KEY, ContextRecord
from dataagent_core.context.report import ContextReport, calibrate, system_parts
from dataagent_core.context.token_counter import RunningTotals, tools_tokens
from dataagent_core.context.view import view
from dataagent_core.context.window_manager import ContextWindowManager


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestSnapshot:
    """The messages shown, and their tokens: estimated by part, calibrated as a whole."""

    record: ContextRecord
    messages: list[Any]
    report: ContextReport
    tokens: int


@dataclass(slots=True)
class RequestSnapshots:
    """Takes snapshots of an agent's requests, with the window known so far."""

    manager: ContextWindowManager
    totals: RunningTotals

    def at(self, request: ModelRequest[Any], record: ContextRecord) -> RequestSnapshot:
        """Take a snapshot of a request whose history is shown by this record."""
        shown = view(request.messages, record)
        summary = self.manager.count(shown[0]) if record.block and shown else 0
        parts = system_parts(request.system_message, request.state.get("agent_memory"))
        totals = self.totals.of(shown, record.version)
        report = ContextReport(
            system=parts.system,
            tools=tools_tokens(request.tools),
            skills=parts.skills,
            memory=parts.memory,
            summary=summary,
            # The summary is the first of the shown messages.
            history=max(totals.history - summary, 0),
            results=totals.results,
            window_tokens=self.manager.window_tokens,
            token_budget=self.manager.token_budget,
        )
        last = ContextReport.from_state(request.state.get(REPORT_KEY))
        count = self.manager.count
        tokens = calibrate(report, last, request.messages, record.made_after, count)
        return RequestSnapshot(record=record, messages=shown, report=report, tokens=tokens)
