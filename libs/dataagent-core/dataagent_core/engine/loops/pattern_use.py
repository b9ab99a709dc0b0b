"""What a run has of patterns (S2 §6.5.5): they are offered, hinted at, and learned from its end.

A pattern that fits well is put to a person who is there; its steps become the plan if they say yes.
One that fits less well, or with nobody there, is a note for the model: how such work went before.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dataagent_core.config.limits.patterns import PATTERN_HINTS_MAX, WORKFLOW_REPEATS
from dataagent_core.config.limits.planning import STEP_TEXT_CHARS_MAX
from dataagent_core.engine.loops.learn_run import learn_run
from dataagent_core.errors import DataAgentError
from dataagent_core.events import Event, PatternEvent
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.patterns import (
    FoundPattern,
    InteractionPattern,
    LearningSwitches,
    PatternFinding,
    PatternLibrary,
    read_trace,
    write_pattern_note,
)
from dataagent_core.patterns.trace import ContentSource
from dataagent_core.patterns.workflow.workflow_record import (
    may_offer,
    read_record,
    with_offer,
    with_record,
)
from dataagent_core.planning.plan_projection import fold_plan
from dataagent_core.planning.work_plan import PlanStatus, PlanStep
from dataagent_core.runs import RunContext
from dataagent_core.session import EventLog, read_all
from dataagent_core.session.prompt import mentions_of

logger = logging.getLogger(__name__)

USE_PATTERN: Final = "Do it that way"
PLAN_ANEW: Final = "Work it out anew"

_THIS_TIME: Final = "This time the person wants:"


@dataclass(frozen=True, slots=True, repr=False)
class PatternUse:
    """The patterns that an agent's runs use and learn."""

    library: PatternLibrary
    log: EventLog
    user_id: str
    is_enabled: bool
    # After so many clean runs a person is told that a workflow can be made.
    repeats: int = WORKFLOW_REPEATS
    # Tools that say of themselves that they return content of strangers.
    external_tools: frozenset[str] = frozenset()

    async def find(self, context: RunContext, tools: Collection[str]) -> PatternFinding:
        """Find what fits a run's message."""
        switches = self._read_switches(context)
        if not switches.are_on:
            return PatternFinding()
        return await self.library.find(context.message.text, tools=tools, switches=switches)

    async def get(self, pattern_id: str) -> InteractionPattern | None:
        """Return a pattern, if nobody has deleted it meanwhile."""
        return await self.library.get(pattern_id)

    async def read_workflow_file(self, pattern_id: str, owner_id: str | None = None) -> str:
        """Return the file of a pattern's workflow; empty if there is none to use.

        A pattern that was deleted may have been learned again, from somebody else's runs.
        """
        pattern = await self.library.get(pattern_id) if self.is_enabled else None
        is_same = pattern is not None and owner_id in {None, pattern.user_id}
        record = read_record(pattern) if pattern is not None and is_same else None
        return "" if record is None else record.text

    async def offer_workflow(self, finding: PatternFinding, run_id: str) -> Sequence[Event]:
        """Say once that the work is done in the same way so often that it can be a workflow.

        It is said to the person whose pattern it is: others of a tenant may not make one.
        """
        pattern = None if finding.offer is None else finding.offer.pattern
        if pattern is None or pattern.user_id != self.user_id:
            return ()
        if not may_offer(pattern, self.repeats):
            return ()
        await self.library.update(pattern.id, with_offer)
        return (make_pattern_event(pattern.id, run_id, "repeated"),)

    async def learn(self, context: RunContext) -> None:
        """Learn from a run that is over; what fails here costs the run nothing."""
        switches = self._read_switches(context)
        # Before a crash, or a wait for a person, calls ran as well.
        has_worked = context.progress.tool_calls or context.journal.begun
        if not switches.are_on or not has_worked:
            return
        run = context.run
        try:
            await learn_run(
                self.library,
                self.log,
                run.session_id,
                run.run_id,
                goal=context.message.text,
                user_id=self.user_id,
                switches=switches,
                before=_find_content_before(context),
                external_tools=self.external_tools,
            )
            if context.message.planning.get("workflow"):
                await self._count_workflow(context)
        except DataAgentError:
            logger.exception("the run %s was not learned from", run.run_id)

    async def _count_workflow(self, context: RunContext) -> None:
        """Count what a run of a workflow has saved."""
        run = context.run
        events = await read_all(self.log, run.session_id, run_id=run.run_id)
        plan, trace = fold_plan(events, run.run_id), read_trace(events, context.message.text)
        if plan is None or plan.interaction_pattern_id is None or not trace.by_workflow:
            return

        def count(pattern: InteractionPattern) -> InteractionPattern:
            record = read_record(pattern)
            if record is None:
                return pattern
            counted = record.after_run(
                record.read().measured,
                tokens=trace.tokens_used,
                seconds=trace.duration_ms / 1000,
                handed_over=plan.status is not PlanStatus.COMPLETED,
            )
            return with_record(pattern, counted)

        await self.library.update(plan.interaction_pattern_id, count)

    def _read_switches(self, context: RunContext) -> LearningSwitches:
        wanted = context.message.planning.get("learn", True)
        is_own = context.run.kind == "message" and context.message.background is None
        return LearningSwitches(tenant=self.is_enabled, session=bool(wanted) and is_own)


def _find_content_before(context: RunContext) -> ContentSource:
    """Say whose content a run began with, in its conversation or attached to its message."""
    if context.progress.began_tainted:
        return "strangers"
    has_content = context.progress.began_with_results or mentions_of(context.message.text)
    return "workspace" if has_content else "conversation"


def make_pattern_events(
    finding: PatternFinding, run_id: str, *, is_offered: bool
) -> Sequence[Event]:
    """Say which patterns fit, and what becomes of them."""
    listed = [(match, "hint") for match in list_hints(finding, is_offered=is_offered)]
    if is_offered and finding.offer is not None:
        listed.insert(0, (finding.offer, "offered"))
    return [
        make_pattern_event(match.pattern.id, run_id, mode, match.similarity)
        for match, mode in listed
    ]


def make_pattern_event(
    pattern_id: str, run_id: str, mode: str, similarity: float = 1.0
) -> PatternEvent:
    """Make the event of one pattern; each says once what becomes of it."""
    return PatternEvent(
        event_id=f"pattern {mode}:{run_id}:{pattern_id}",
        pattern_id=pattern_id,
        similarity=round(similarity, 3),
        mode=mode,
    )


def list_hints(finding: PatternFinding, *, is_offered: bool) -> list[FoundPattern]:
    """List the patterns that the model is told of."""
    best = [] if finding.offer is None or is_offered else [finding.offer]
    return [*best, *finding.hints][:PATTERN_HINTS_MAX]


def make_hint_note(matches: Sequence[FoundPattern], user_id: str) -> str:
    """Tell the model how such work went before; empty where there is nothing to tell."""
    note = write_pattern_note([match.pattern for match in matches], user_id)
    return f"<pattern-note>\n{note}\n</pattern-note>" if note else ""


def make_pattern_options() -> list[dict[str, Any]]:
    """List the ways to answer the offer of a pattern."""
    return [
        {
            "label": USE_PATTERN,
            "description": "Take over its steps, tools and decisions.",
            "is_recommended": True,
        },
        {
            "label": PLAN_ANEW,
            "description": "Leave it, and work it out anew.",
            "is_recommended": False,
        },
    ]


def make_pattern_steps(pattern: InteractionPattern, goal: str) -> tuple[PlanStep, ...]:
    """Make the steps of a plan from a pattern, one after the other.

    A pattern holds no values, so each step is told what the person wants this time.
    """
    if not any(step.description for step in pattern.steps):
        tools = tuple(dict.fromkeys(tool for step in pattern.steps for tool in step.tools))
        way = f"Before, these tools led to the result, in this order: {', '.join(tools)}."
        return (_make_step(1, pattern.name, [f"{_THIS_TIME} {goal}", way], tools),)
    return tuple(
        _make_step(
            number,
            step.description or f"Use {', '.join(step.tools)}",
            [
                f"{_THIS_TIME} {goal}",
                *(f"Decided before: {one}" for one in step.decision_points),
                *(f"Corrected before: {one}" for one in step.corrections),
            ],
            step.tools,
            step.expected_output,
        )
        for number, step in enumerate(pattern.steps, start=1)
    )


def _make_step(
    number: int,
    description: str,
    prompt: Sequence[str],
    tools: Sequence[str],
    expected_output: str = "",
) -> PlanStep:
    return PlanStep(
        step_number=number,
        description=description,
        thought_prompt=keep_ends("\n".join(prompt), STEP_TEXT_CHARS_MAX),
        expected_output=expected_output,
        required_tools=tuple(tools),
        dependencies=(number - 1,) if number > 1 else (),
    )
