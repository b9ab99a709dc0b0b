"""The permissions of one run and its questions: the gate reads them, answers change them.

The rules that hold for every run of an agent are in `policy.py`. Which run it is, its journal and
its budget are in `runs/context.py`.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dataagent_core.events import HITLRequestEvent
from dataagent_core.events.system import Mode
from dataagent_core.hitl import HITLHandler
from dataagent_core.permissions.doom_loop import DoomLoopDetector
from dataagent_core.permissions.rule_files.rule_saver import RuleSaver, rules_shown_in
from dataagent_core.permissions.rules import Rule
from dataagent_core.permissions.taint import Taint


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTerms:
    """What the caller of a run decides about its permissions."""

    # Answers the run's questions; nobody is asked where there is none.
    hitl_handler: HITLHandler | None = None
    # Keeps an "always" for later sessions; where there is none, it ends with this one.
    rule_saver: RuleSaver | None = None
    # What was kept so before, where the rules that the agent was built with do not hold it.
    kept_rules: Sequence[Rule] = ()


@dataclass(slots=True, kw_only=True)
class RunQuestions:
    """The questions of a run: who answers them, which were asked, which are open."""

    session_id: str
    hitl_handler: HITLHandler | None = None
    rule_saver: RuleSaver | None = None
    # Returns the answer to a question where no graph can stop for it.
    ask: Callable[[dict[str, Any]], Any] | None = None
    # Calls that were put to a person: their answer counts, whatever the rules say by now.
    asked: set[str] = field(default_factory=set[str])
    # Requests that no answer has closed yet.
    open_requests: dict[str, HITLRequestEvent] = field(default_factory=dict[str, HITLRequestEvent])

    def add(self, request: HITLRequestEvent) -> None:
        """Note that a request was put to a person."""
        self.open_requests[request.interrupt_id] = request
        self.asked.update(str(a["call_key"]) for a in request.action_requests if "call_key" in a)

    def close(self, request: HITLRequestEvent) -> None:
        """Note that a request was answered."""
        self.open_requests.pop(request.interrupt_id, None)


@dataclass(slots=True, kw_only=True)
class RunPermissions:
    """What a run may do without asking, by its mode, its answers and what it has read."""

    questions: RunQuestions
    # As last read; a change counts from the next call on.
    mode: Mode = "ask"
    # Reads the session's current mode; without it the run keeps its own.
    look_up_mode: Callable[[], Awaitable[Mode]] | None = None
    # What a person allowed for the rest of the session, and rules they kept elsewhere.
    session_rules: list[Rule] = field(default_factory=list[Rule])
    # Whose content is in the context, and which targets the person named.
    taint: Taint = field(default_factory=Taint)
    named_targets: frozenset[str] = frozenset()
    # The sub-agents that the person asked for by name, in their own words or beside them.
    named_subagents: frozenset[str] = frozenset()
    # Those that the run's plan gives its steps to.
    planned_subagents: set[str] = field(default_factory=set[str])
    doom_loop: DoomLoopDetector = field(default_factory=DoomLoopDetector)
    # By the tasks of sub-agents.
    _subagent_loops: dict[str, DoomLoopDetector] = field(
        default_factory=dict[str, DoomLoopDetector], init=False
    )

    def find_doom_loop(self, subagent_id: str | None) -> DoomLoopDetector:
        """Return the detector of the agent, or of a sub-agent's task."""
        if subagent_id is None:
            return self.doom_loop
        if subagent_id not in self._subagent_loops:
            self._subagent_loops[subagent_id] = self.doom_loop.make_another()
        return self._subagent_loops[subagent_id]

    async def update_mode(self) -> None:
        """Read the mode again: it may have been changed here or elsewhere."""
        if self.look_up_mode is not None:
            self.mode = await self.look_up_mode()

    def add_call(self, tool: str, metadata: Mapping[str, Any] | None) -> None:
        """Note whose content the result of a call holds."""
        self.taint = self.taint.after(tool, metadata)

    def add_source(self, source: str) -> None:
        """Note a source whose content is in the context now."""
        self.taint = self.taint.with_source(source)

    def add_rules_of(self, request: HITLRequestEvent, decision: Mapping[str, Any]) -> None:
        """Allow what a person approved "always"."""
        # What a person changed or declined is no reason to let the next one through unseen.
        if decision.get("type") == "approve" and decision.get("scope") == "always":
            for action in request.action_requests:
                self.session_rules.extend(rules_shown_in(action, "session"))
