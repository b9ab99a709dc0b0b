"""What the parts of one running run share: handed down as an argument, never global."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dataagent_core.events import Event, HITLRequestEvent
from dataagent_core.events.system import Mode
from dataagent_core.hitl import HITLHandler
from dataagent_core.permissions.doom_loop import DoomLoopDetector
from dataagent_core.permissions.rule_files.rule_saver import RuleSaver, rules_shown_in
from dataagent_core.permissions.rules import Rule
from dataagent_core.permissions.taint import Taint
from dataagent_core.session import JournalEntry, Run, RunRecorder
from dataagent_core.usage import RunAccount
from dataagent_core.usage.asking import allowed_by


@dataclass(slots=True, kw_only=True)
class RunScope:
    """The run, its recorder, and what earlier attempts and answers have settled."""

    run: Run
    recorder: RunRecorder
    hitl_handler: HITLHandler | None = None
    # What the run's agent is made of, where agents share a graph (`engine/shared_graph.py`).
    agent: object = None
    # Keeps an "always" for later sessions; where there is none, it ends with this one.
    rule_saver: RuleSaver | None = None
    # How much the run may do by itself, as of its last look; a switch counts from the next call on.
    mode: Mode = "ask"
    # Says which mode the session is in by now; where nothing does, the run keeps its own.
    look_up_mode: Callable[[], Awaitable[Mode]] | None = None
    # A run that only shows the history shorter from now on: what the person wants kept of it.
    compact: str | None = None
    # Puts a question to a person and returns what was said, where no graph can stop for it.
    ask: Callable[[dict[str, Any]], Any] | None = None
    # Calls an earlier attempt finished, by key: they are answered from here, never run again.
    finished_calls: dict[str, JournalEntry] = field(default_factory=dict[str, JournalEntry])
    # Calls that were put to a person: their answer counts, whatever the rules say by now.
    asked: set[str] = field(default_factory=set[str])
    # Requests that no answer has closed yet.
    open_requests: dict[str, HITLRequestEvent] = field(default_factory=dict[str, HITLRequestEvent])
    # What a person allowed for the rest of the session, and what they said for good elsewhere.
    session_rules: list[Rule] = field(default_factory=list[Rule])
    # Calls that began in an earlier attempt and whose outcome nobody knows.
    unknown_calls: dict[str, JournalEntry] = field(default_factory=dict[str, JournalEntry])
    # Whose words the conversation holds, and which targets the person named themselves.
    taint: Taint = field(default_factory=Taint)
    named_targets: frozenset[str] = frozenset()
    doom_loop: DoomLoopDetector = field(default_factory=DoomLoopDetector)
    model_calls: int = 0
    # How often cut text was voided since this attempt began.
    restarts: int = 0
    # What the run may use and has used.
    account: RunAccount = field(default_factory=RunAccount.of_nobody)
    # What is to be said after the words of the model call that is under way.
    unsaid: list[Event] = field(default_factory=list[Event])
    # A person ended the run: calls that they allowed before finish, and no model is asked any more.
    closing: bool = False
    # What a budget said that a person did not want to raise.
    refused_budget: str | None = None

    async def catch_up_with_mode(self) -> None:
        """Follow a switch that was made since the run last looked, here or elsewhere."""
        if self.look_up_mode is not None:
            self.mode = await self.look_up_mode()

    def take_unsaid(self) -> list[Event]:
        """Give what is to be said now, once."""
        said, self.unsaid = self.unsaid, []
        return said

    def remember_asked(self, request: HITLRequestEvent) -> None:
        """Note that a request was put to a person."""
        self.open_requests[request.interrupt_id] = request
        self.asked.update(str(a["call_key"]) for a in request.action_requests if "call_key" in a)

    def remember_answered(self, request: HITLRequestEvent, decision: Mapping[str, Any]) -> None:
        """Note the answer: it closes the request, and may allow the tool from now on."""
        self.open_requests.pop(request.interrupt_id, None)
        if request.kind == "budget" and request.run_id in {None, self.run.run_id}:
            self._remember_budget(request, decision)
        # What a person changed or declined is no reason to let the next one through unseen.
        if decision.get("type") == "approve" and decision.get("scope") == "always":
            for action in request.action_requests:
                self.session_rules.extend(rules_shown_in(action, "session"))

    def _remember_budget(self, request: HITLRequestEvent, decision: Mapping[str, Any]) -> None:
        self.account.allow(request.interrupt_id, allowed_by(decision, request.action_requests))
        if decision.get("type") == "reject":
            self.refused_budget = request.context or "a budget"
