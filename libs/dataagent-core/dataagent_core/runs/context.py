"""What the parts of one running run share. It is LangGraph's context of the run, never global.

    values       `run`, `message`, `keep`, `subagent`
    memory       `journal`, `progress`, `permissions`, `active_skills`: refilled on resume
    services     `recorder`, `account`

The executor makes it (`engine/executor.py`); middleware and tools get it with `run_context`. A
sub-agent works in a copy of its own (`for_subagent`).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from dataagent_core.events import HITLRequestEvent
from dataagent_core.permissions.active_skills import ActiveSkills
from dataagent_core.permissions.rules import Rule
from dataagent_core.permissions.run_permissions import RunPermissions, RunQuestions
from dataagent_core.runs.background import BackgroundTask
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
    # In how many earlier attempts each call began.
    begun: Counter[str] = field(default_factory=Counter[str])

    def count_begun(self, call_key: str) -> int:
        """Return how often a call of unknown outcome has begun."""
        return max(1, self.begun[call_key])


@dataclass(slots=True)
class RunProgress:
    """How far the run has come."""

    model_calls: int = 0
    # Calls that ran in this attempt.
    tool_calls: int = 0
    # Whether the conversation held content of strangers before the run, and results of any tool.
    began_tainted: bool = False
    began_with_results: bool = False
    # How often cut text was voided since this attempt began.
    restarts: int = 0
    # A person ended the run: calls that they allowed before finish, and no model is asked any more.
    closing: bool = False
    # What a budget said that a person did not want to raise.
    refused_budget: str | None = None
    # Tasks of sub-agents that a person leaves out: no model is asked for them any more.
    left_out: set[str] = field(default_factory=set[str])
    # How long the tasks of sub-agents were worked on, by their ids, without waits for a person.
    worked_s: dict[str, float] = field(default_factory=dict[str, float])

    def add_work(self, task_id: str, seconds: float) -> None:
        """Note that a sub-agent worked on its task for so long."""
        self.worked_s[task_id] = self.worked_s.get(task_id, 0.0) + seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMessage:
    """What the person wrote, and which sub-agents they chose or forbid beside it."""

    text: str = ""
    use: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    # Set if the message is a task that another run started.
    background: BackgroundTask | None = None
    # What the client said about planning beside it (`planning/plan_terms.py`).
    planning: Mapping[str, Any] = field(default_factory=dict[str, Any])
    # Whether the answer must have a form.
    has_form: bool = False
    # Whether memories may be recalled for it and learned from it.
    wants_memory: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentTask:
    """One task of a sub-agent: a `task` call, and who made it."""

    # The key of the call; it is the same after a crash.
    id: str
    name: str
    # Which sub-agent it is: the id of its row, or its name if it has none.
    agent_id: str
    # The task of the sub-agent that delegates; None: the agent itself.
    parent: "SubAgentTask | None" = None

    @property
    def depth(self) -> int:
        """How many sub-agents work between the agent and the result; 1 for a direct one."""
        return 1 if self.parent is None else self.parent.depth + 1

    @property
    def names(self) -> tuple[str, ...]:
        """The names from the sub-agent of the agent down to this one."""
        return (*(self.parent.names if self.parent else ()), self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """One run as its middleware and tools see it."""

    run: Run
    message: RunMessage = field(default_factory=RunMessage)
    # What a person wants kept, where the run is a compaction.
    keep: str = ""
    recorder: RunRecorder
    account: RunAccount = field(default_factory=RunAccount.of_nobody)
    permissions: RunPermissions
    journal: CallJournal = field(default_factory=CallJournal)
    progress: RunProgress = field(default_factory=RunProgress)
    # They narrow what the agents of the run may call.
    active_skills: ActiveSkills = field(default_factory=ActiveSkills)
    # Set in the context of a sub-agent.
    subagent: SubAgentTask | None = None
    # The rules of each sub-agent from the agent down to this one.
    subagent_rules: tuple[tuple[Rule, ...], ...] = ()

    def for_subagent(
        self, task: SubAgentTask, rules: tuple[Rule, ...] = (), **changes: Any
    ) -> Self:
        """Return the context of a sub-agent: all is shared, and its events are its own."""
        return replace(
            self,
            subagent=task,
            subagent_rules=(*self.subagent_rules, rules) if rules else self.subagent_rules,
            recorder=self.recorder.for_subagent(task.id),
            active_skills=self.active_skills.for_subagent(task.id),
            **changes,
        )

    @property
    def subagent_id(self) -> str | None:
        """The task of the sub-agent that works here."""
        return None if self.subagent is None else self.subagent.id

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
