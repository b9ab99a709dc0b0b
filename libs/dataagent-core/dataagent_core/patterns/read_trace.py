"""Reads the trace of one run from the event log. Pure; the log is the only recording.

What a resumed run voided does not count, nor does what a rule or a time-out answered in a person's
name. A plan's text is tainted if it first appears after a result that may hold words of others.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from pydantic import JsonValue

from dataagent_core.config.limits.patterns import (
    PATTERN_GOAL_CHARS_MAX,
    TRACE_CALLS_MAX,
    TRACE_QUESTIONS_MAX,
    TRACE_STEPS_MAX,
)
from dataagent_core.events import (
    DoneEvent,
    Event,
    FeedbackEvent,
    HITLAnswerEvent,
    HITLRequestEvent,
    PatternEvent,
    RunStartedEvent,
    StepEndEvent,
    StepStartEvent,
    TextEvent,
    TodoUpdateEvent,
    ToolCallEvent,
    ToolResultEvent,
    WorkPlanEvent,
)
from dataagent_core.hitl.answer_envelope import BY_TIMEOUT
from dataagent_core.language.quotes import find_quotes
from dataagent_core.language.text_ends import keep_whole_ends
from dataagent_core.patterns.read_plan import PlanReader, read_text, shorten
from dataagent_core.patterns.trace import (
    PATTERN_QUESTION,
    ClarificationQA,
    ContentSource,
    Correction,
    InteractionTrace,
    TracedCall,
    TracedDecision,
)
from dataagent_core.patterns.workflow.result_shape import read_shape, result_text
from dataagent_core.permissions.shell.line import names
from dataagent_core.permissions.taint import is_external, make_external_metadata
from dataagent_core.session.feedback import last_feedback
from dataagent_core.session.void_events import CallKey, call_key, remove_void

# Their results hold only what the person or the agent said.
_CONVERSATION_TOOLS: Final = names(
    "write_todos ask_clarification ask_decision propose_plan plan_enter find_tools load_tools "
    "finish_step plan_question"
)


def brings_content(tool_name: str) -> bool:
    """Say whether the results of a tool may hold more than the conversation itself."""
    return tool_name not in _CONVERSATION_TOOLS


_NO_RESULT: Final = "no result"
# Answers that no person gave (`engine/ask_person.py`).
_NOBODY: Final = frozenset({None, "", BY_TIMEOUT, "no handler", "recommended", "budget"})


def read_trace(
    events: Sequence[Event],
    goal: str,
    *,
    external_tools: Collection[str] = (),
    before: ContentSource = "conversation",
) -> InteractionTrace:
    """Read the trace of the run that starts first among the events.

    `goal` is what the person wrote, which no event has. `external_tools` are those whose definition
    says that their results come from outside; `before` says whose content the conversation held
    before the run's first turn.
    """
    run_id = next((e.run_id or "" for e in events if isinstance(e, RunStartedEvent)), "")
    of_run = remove_void([event for event in events if run_id and event.run_id == run_id])
    reader = _TraceReader(goal, frozenset(external_tools), before)
    for event in of_run:
        reader.see(event)
    return reader.finish(run_id, last_feedback(events, run_id) if run_id else [])


class _TraceReader:
    """Collects the parts of a trace, event by event."""

    def __init__(self, goal: str, external_tools: frozenset[str], before: ContentSource) -> None:
        self._goal = keep_whole_ends(goal, PATTERN_GOAL_CHARS_MAX)
        self._external_tools = external_tools
        self._before: ContentSource = before
        self._is_tainted = before != "conversation"
        # The stricter one: of strangers, and not of the workspace.
        self._holds_strangers = before == "strangers"
        self._session_id = ""
        self._began_s = self._ended_s = 0.0
        self._done: DoneEvent | None = None
        self._text = ""
        self._requests: dict[str, tuple[HITLRequestEvent, bool]] = {}
        self._clarifications: list[ClarificationQA] = []
        self._decisions: list[TracedDecision] = []
        self._corrections: list[Correction] = []
        self._interventions = 0
        self._plan = PlanReader()
        self._calls: dict[CallKey, TracedCall] = {}
        self._calls_left_out = 0
        self._by_workflow = False

    def see(self, event: Event) -> None:  # noqa: C901, PLR0912 (one row per event)
        """Take what an event says of the run."""
        self._ended_s = event.timestamp
        match event:
            case RunStartedEvent(subagent_id=None):
                self._began_s, self._session_id = event.timestamp, event.session_id or ""
            case ToolCallEvent():
                self._see_call(event)
            case ToolResultEvent():
                self._see_result(event)
            case HITLRequestEvent():
                self._requests.setdefault(event.interrupt_id, (event, self._is_tainted))
            case HITLAnswerEvent(superseded=False):
                self._see_answer(event)
            # The plan of a sub-agent is its own.
            case TodoUpdateEvent(subagent_id=None):
                self._plan.see_todos(event.todos, is_tainted=self._is_tainted)
            case WorkPlanEvent(subagent_id=None):
                self._plan.see_plan(event.steps, is_tainted=self._is_tainted)
            case StepStartEvent(subagent_id=None):
                self._plan.mark(event.step_number, "in_progress")
            case StepEndEvent(subagent_id=None):
                self._plan.mark(event.step_number, "completed" if event.success else "failed")
            case TextEvent(is_final=True, subagent_id=None):
                self._text = event.content
            case PatternEvent(mode="workflow"):
                self._by_workflow = True
            case DoneEvent():
                self._done = event
            case _:
                pass

    def finish(self, run_id: str, feedback: Sequence[FeedbackEvent]) -> InteractionTrace:
        """Return the trace, with what people said of the run afterwards."""
        said = [one.correction for one in feedback if one.correction.strip()]
        corrections = [Correction(kind="feedback", text=shorten(text)) for text in said]
        corrections = [*self._corrections, *corrections]
        quoted = self._find_quotes(corrections)
        done = self._done
        cancelled = done is not None and (done.cancelled or done.reason == "user_cancelled")
        completed = done is not None and done.reason == "completed" and not cancelled
        return InteractionTrace(
            conversation_id=self._session_id,
            user_goal=self._goal,
            clarifications=tuple(self._clarifications),
            decisions=tuple(
                replace(one, is_tainted=one.is_tainted or one.user_choice in quoted)
                for one in self._decisions
            ),
            plan_steps=self._plan.steps,
            tool_calls=tuple(self._calls.values()),
            corrections=tuple(
                replace(one, text="" if one.text in quoted else one.text) for one in corrections
            ),
            final_result=shorten((done and done.content) or self._text),
            success=completed and all(one.rating != "down" for one in feedback),
            duration_ms=max(0, round((self._ended_s - self._began_s) * 1000)),
            human_intervention_count=self._interventions + len(said),
            run_id=run_id,
            was_cancelled=cancelled,
            ended_s=self._ended_s,
            calls_left_out=self._calls_left_out,
            by_workflow=self._by_workflow,
            before=self._before,
            external_tools=tuple(
                sorted({one.tool_name for one in self._calls.values()} & self._external_tools)
            ),
            tokens_used=((done and done.token_usage) or {}).get("total_tokens", 0),
        )

    def _find_quotes(self, corrections: Sequence[Correction]) -> frozenset[str]:
        """Find what people said in words of a result: of a page, a file or a server."""
        said = {*(one.user_choice for one in self._decisions), *(one.text for one in corrections)}
        foreign = (one.result for one in self._calls.values() if one.content != "conversation")
        return find_quotes(said, foreign)

    def _see_call(self, event: ToolCallEvent) -> None:
        key = call_key(event)
        if key not in self._calls and len(self._calls) >= TRACE_CALLS_MAX:
            self._calls_left_out += 1
            return
        # Made again after a crash, it moves to where it was made again.
        self._calls.pop(key, None)
        before = next(reversed(self._calls.values()), None)
        self._calls[key] = TracedCall(
            tool_name=event.tool_name,
            args=event.tool_args,
            status=_NO_RESULT,
            duration_ms=0,
            content=self._find_source(event.tool_name),
            subagent_id=event.subagent_id,
            is_tainted=self._holds_strangers,
            is_together=before is not None and before.status == _NO_RESULT,
        )

    def _see_result(self, event: ToolResultEvent) -> None:
        # Also of a call that was refused, or that there was no room for.
        source = self._find_source(event.tool_name)
        self._is_tainted = self._is_tainted or source != "conversation"
        self._holds_strangers = self._holds_strangers or source == "strangers"
        if call := self._calls.get(call_key(event)):
            duration_ms = max(0, event.duration_ms or 0)
            answered = replace(
                call,
                status=event.status,
                duration_ms=duration_ms,
                result=result_text(event.result),
                shape=read_shape(event.result, event.receipt),
            )
            self._calls[call_key(event)] = answered

    def _find_source(self, tool_name: str) -> ContentSource:
        metadata = make_external_metadata() if tool_name in self._external_tools else None
        if is_external(tool_name, metadata):
            return "strangers"
        return "workspace" if brings_content(tool_name) else "conversation"

    def _see_answer(self, event: HITLAnswerEvent) -> None:
        request, is_tainted = self._requests.pop(event.interrupt_id, (None, True))
        if request is None:
            return
        by_person = event.by not in _NOBODY
        self._interventions += by_person
        if request.question_type == PATTERN_QUESTION:
            return
        if request.kind == "clarification" and len(self._clarifications) < TRACE_QUESTIONS_MAX:
            self._clarifications.append(
                ClarificationQA(
                    question=shorten(request.question or ""),
                    answer=_read_answer(event.decision),
                    question_type=shorten(request.question_type or ""),
                    by_person=by_person,
                    is_tainted=is_tainted,
                )
            )
        elif request.kind == "decision" and len(self._decisions) < TRACE_QUESTIONS_MAX:
            self._decisions.append(_read_decision(request, event, by_person, is_tainted))
        elif by_person and len(self._corrections) < TRACE_QUESTIONS_MAX:
            self._corrections.extend(_read_corrections(request, event.decision))


def _read_decision(
    request: HITLRequestEvent,
    event: HITLAnswerEvent,
    by_person: bool,  # noqa: FBT001 (one of two facts about the answer)
    is_tainted: bool,  # noqa: FBT001
) -> TracedDecision:
    recommended = [one for one in request.options if one.get("is_recommended")]
    return TracedDecision(
        context=shorten(request.context or request.question or ""),
        decision_type=shorten(request.question_type or ""),
        options=tuple(read_text(one.get("label")) for one in request.options[:TRACE_STEPS_MAX]),
        recommended=read_text(recommended[0].get("label")) if recommended else "",
        user_choice=_read_answer(event.decision),
        step_number=request.step_number,
        by_person=by_person,
        is_tainted=is_tainted,
    )


def _read_corrections(
    request: HITLRequestEvent, decision: Mapping[str, JsonValue]
) -> list[Correction]:
    action = request.action_requests[0] if request.action_requests else {}
    tool_name = read_text(action.get("name"))
    message = read_text(decision.get("message"))
    match request.kind, decision.get("type"):
        case "approval", "edit":
            before, after = action.get("args"), decision.get("args")
            changed = (
                [name for name in {**before, **after} if before.get(name) != after.get(name)]
                if isinstance(before, dict) and isinstance(after, dict)
                else []
            )
            changed_args = tuple(map(shorten, changed))
            return [Correction(kind="edit", tool_name=tool_name, changed_args=changed_args)]
        case "approval", "respond":
            return [Correction(kind="respond", text=message, tool_name=tool_name)]
        case "doom_loop", "correct":
            return [Correction(kind="correct", text=message, tool_name=tool_name)]
        case _:
            return []


def _read_answer(decision: Mapping[str, JsonValue]) -> str:
    answer = decision.get("answer")
    if isinstance(answer, list):
        return shorten(", ".join(map(str, answer)))
    return shorten(str(answer)) if answer is not None else read_text(decision.get("message"))
