"""What the parts of one running run share. It is LangGraph's context of the run, never global.

    values       `run`, `keep`
    memory       `journal`, `progress`, `permissions`: refilled from the log when a run goes on
    services     `recorder`, `account`

The executor makes it (`engine/executor.py`); middleware and tools get it with `run_context`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dataagent_core.events import HITLRequestEvent
from dataagent_core.permissions.run_permissions import RunPermissions, RunQuestions
from dataagent_core.session import JournalEntry, Run, RunRecorder
from dataagent_core.usage import RunAccount
from dataagent_core.usage.budget_request import read_allowance


@dataclass(slots=True)
class CallJournal:
    """What the journal says of the run's tool calls, by their keys."""

    # Finished in an earlier attempt: they are answered from here, never run again.
    finished: dict[str, JournalEntry] = field(default_factory=dict[str, JournalEntry])
    # Began in an earlier attempt; their outcome is unknown.
    unknown: dict[str, JournalEntry] = field(default_factory=dict[str, JournalEntry])


@dataclass(slots=True)
class RunProgress:
    """How far the run has come."""

    model_calls: int = 0
    # How often cut text was voided since this attempt began.
    restarts: int = 0
    # A person ended the run: calls that they allowed before finish, and no model is asked any more.
    closing: bool = False
    # What a budget said that a person did not want to raise.
    refused_budget: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """One run as its middleware and tools see it."""

    run: Run
    # What a person wants kept, where the run is a compaction.
    keep: str = ""
    recorder: RunRecorder
    account: RunAccount = field(default_factory=RunAccount.of_nobody)
    permissions: RunPermissions
    journal: CallJournal = field(default_factory=CallJournal)
    progress: RunProgress = field(default_factory=RunProgress)

    @property
    def questions(self) -> RunQuestions:
        """What the run asks people."""
        return self.permissions.questions

    def add_answer(self, request: HITLRequestEvent, decision: Mapping[str, Any]) -> None:
        """Note an answer: it closes the request, and may allow a tool or raise a budget."""
        self.questions.close(request)
        self.permissions.add_rules_of(request, decision)
        if request.kind == "budget" and request.run_id in {None, self.run.run_id}:
            extra = read_allowance(decision, request.action_requests)
            self.account.allow(request.interrupt_id, extra)
            if decision.get("type") == "reject":
                self.progress.refused_budget = request.context or "a budget"


def run_context(runtime: Any) -> RunContext:
    """Give the run that a graph's runtime belongs to."""
    context = runtime.context
    if not isinstance(context, RunContext):
        raise TypeError("this graph is run by an AgentExecutor, which gives it the run's context.")
    return context
