"""Lists the results and outputs of a session, rebuilt from its events alone.

Results of earlier runs count too. Left out are calls that failed, what only repeats a result, and
what is a model's own words (a plan, a file it wrote, a summary, a sub-agent's answer).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dataagent_core.config.limits.data import RECEIPT_OUTPUTS_MAX, RECEIPT_RESULTS_MAX
from dataagent_core.events import Event, ToolResultEvent
from dataagent_core.permissions.tool_groups import BACKGROUND_TOOLS, MCP_PREFIX, TASK_TOOLS
from dataagent_core.tools.data.receipts.result_facts import read_result_facts
from dataagent_core.tools.data.receipts.trace_values import ToolOutput

_REPEATS = frozenset({"result_page", "result_export", "chart_create", "report_create"})
_OWN_WORDS = (
    TASK_TOOLS
    | BACKGROUND_TOOLS
    | {"write_todos", "write_file", "edit_file", "multi_edit", "delete_file", "summary"}
)
_COMPUTES = frozenset({"code_executor"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultReceipt:
    """A result that a query of the session made."""

    result_id: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLedger:
    """The possible sources of a session's figures, newest first; the oldest are dropped."""

    results: tuple[ResultReceipt, ...] = ()
    outputs: tuple[ToolOutput, ...] = ()
    # A session without data is not asked where its numbers are from.
    about_data: bool = False

    def adding(self, events: Iterable[Event]) -> "ResultLedger":
        """Return a ledger with later events added."""
        ledger = self
        for event in events:
            if isinstance(event, ToolResultEvent) and event.status == "success":
                ledger = ledger._add_result(event)
        return ledger

    def _add_result(self, event: ToolResultEvent) -> "ResultLedger":
        if (result := read_result_facts(event.receipt or {})) is not None:
            made = ResultReceipt(result_id=result["result_id"], sha256=result["sha256"])
            older = (one for one in self.results if one.result_id != made.result_id)
            results = (made, *older)[:RECEIPT_RESULTS_MAX]
            return replace(self, results=results, about_data=True)
        if event.tool_name in _REPEATS | _OWN_WORDS or not isinstance(event.result, str):
            return self
        output = ToolOutput(
            tool_name=event.tool_name, tool_call_id=event.tool_call_id, text=event.result
        )
        computed = event.tool_name in _COMPUTES or event.tool_name.startswith(MCP_PREFIX)
        return replace(
            self,
            outputs=(output, *self.outputs)[:RECEIPT_OUTPUTS_MAX],
            about_data=self.about_data or computed,
        )
