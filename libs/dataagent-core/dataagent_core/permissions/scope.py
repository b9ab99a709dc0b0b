"""What the parts of one running run share: handed down as an argument, never global."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import HITLHandler
from dataagent_core.permissions.answers import rules_shown_in
from dataagent_core.permissions.doom_loop import DoomLoopDetector
from dataagent_core.permissions.rule import Rule
from dataagent_core.permissions.rule_saver import RuleSaver
from dataagent_core.permissions.taint import Taint
from dataagent_core.session import JournalEntry, Run, RunRecorder


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
    # Puts a question to a person and returns what was said, where no graph can stop for it.
    ask: Callable[[dict[str, Any]], Any] | None = None
    # Calls an earlier attempt finished, by key: they are answered from here, never run again.
    finished_calls: dict[str, JournalEntry] = field(default_factory=dict[str, JournalEntry])
    # Calls that were put to a person: their answer counts, whatever the rules say by now.
    asked: set[str] = field(default_factory=set[str])
    # Requests that no answer has closed yet.
    open_requests: dict[str, HITLRequestEvent] = field(default_factory=dict[str, HITLRequestEvent])
    # What a person allowed for the rest of the session.
    session_rules: list[Rule] = field(default_factory=list[Rule])
    # Calls that began in an earlier attempt and whose outcome nobody knows.
    unknown_calls: dict[str, JournalEntry] = field(default_factory=dict[str, JournalEntry])
    # Whose words the conversation holds, and which targets the person named themselves.
    taint: Taint = field(default_factory=Taint)
    named_targets: frozenset[str] = frozenset()
    doom_loop: DoomLoopDetector = field(default_factory=DoomLoopDetector)
    token_usage: dict[str, int] = field(default_factory=dict[str, int])
    model_calls: int = 0

    def remember_asked(self, request: HITLRequestEvent) -> None:
        """Note that a request was put to a person."""
        self.open_requests[request.interrupt_id] = request
        self.asked.update(str(a["call_key"]) for a in request.action_requests if "call_key" in a)

    def remember_answered(self, request: HITLRequestEvent, decision: Mapping[str, Any]) -> None:
        """Note the answer: it closes the request, and may allow the tool from now on."""
        self.open_requests.pop(request.interrupt_id, None)
        # What a person changed or declined is no reason to let the next one through unseen.
        if decision.get("type") == "approve" and decision.get("scope") == "always":
            for action in request.action_requests:
                self.session_rules.extend(rules_shown_in(action, "session"))

    def add_usage(self, input_tokens: int, output_tokens: int) -> None:
        """Count what one model call used."""
        for name, count in (
            ("input_tokens", input_tokens),
            ("output_tokens", output_tokens),
            ("total_tokens", input_tokens + output_tokens),
        ):
            self.token_usage[name] = self.token_usage.get(name, 0) + count
