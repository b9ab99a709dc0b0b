"""A request as it stands: how the history is shown, and what each part of that costs."""

from dataclasses import dataclass
from typing import Any

from langchain.agents.middleware.types import ModelRequest

from dataagent_core.context.calibration import calibrated
from dataagent_core.context.counting import tools_tokens
from dataagent_core.context.record import ContextRecord
from dataagent_core.context.report import ContextReport, spent, system_parts
from dataagent_core.context.running_total import RunningTotals
from dataagent_core.context.state import REPORT_KEY
from dataagent_core.context.view import view
from dataagent_core.context.window import ContextWindowManager


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What is shown, and its cost: by part as estimated, and as a whole as far as it is known."""

    record: ContextRecord
    messages: list[Any]
    report: ContextReport
    tokens: int


class Looks:
    """Looks at requests of one agent, in the window that is known by now."""

    def __init__(self, manager: ContextWindowManager) -> None:
        self.manager = manager
        self._totals = RunningTotals(manager.count)

    def at(self, request: ModelRequest[Any], record: ContextRecord) -> Look:
        """Say how a request stands if the history is shown in this way."""
        shown = view(request.messages, record)
        summary = self.manager.count(shown[0]) if record.block and shown else 0
        report = spent(
            system_parts(request.system_message, request.state.get("agent_memory")),
            tools_tokens(request.tools),
            self._totals.of(shown, record.version),
            summary,
            window=self.manager.window_tokens,
            budget=self.manager.token_budget,
        )
        last = ContextReport.from_state(request.state.get(REPORT_KEY))
        count = self.manager.count
        tokens = calibrated(report, last, request.messages, record.made_after, count)
        return Look(record=record, messages=shown, report=report, tokens=tokens)
