"""What a run has of patterns (S2 §6.5.5): they are offered, hinted at, and learned from its end.

A pattern that fits well is put to a person who is there; its steps become the plan if they say yes.
One that fits less well, or with nobody there, is a note for the model: how such work went before.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dataagent_core.config.limits.planning import STEP_TEXT_CHARS_MAX
from dataagent_core.engine.loops.learn_run import learn_run
from dataagent_core.errors import DataAgentError
from dataagent_core.events import Event, PatternEvent
from dataagent_core.language.prompt_line import make_prompt_line
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.patterns import (
    FoundPattern,
    InteractionPattern,
    LearningSwitches,
    PatternFinding,
    PatternLibrary,
)
from dataagent_core.planning.work_plan import PlanStep
from dataagent_core.runs import RunContext
from dataagent_core.session import EventLog

logger = logging.getLogger(__name__)

# What a face goes by that shows a pattern's options in another language.
PATTERN_QUESTION: Final = "pattern"
USE_PATTERN: Final = "Do it that way"
PLAN_ANEW: Final = "Work it out anew"

_THIS_TIME: Final = "This time the person wants:"
_HINT: Final = """\
<pattern-note>
Such work was done here before with success. Use of it what fits, and nothing that does not:
{ways}
</pattern-note>"""


@dataclass(frozen=True, slots=True, repr=False)
class PatternUse:
    """The patterns that an agent's runs use and learn."""

    library: PatternLibrary
    log: EventLog
    user_id: str
    is_enabled: bool

    async def find(self, context: RunContext, tools: Collection[str]) -> PatternFinding:
        """Find what fits a run's message."""
        switches = self._read_switches(context)
        if not switches.are_on:
            return PatternFinding()
        return await self.library.find(context.message.text, tools=tools, switches=switches)

    async def get(self, pattern_id: str) -> InteractionPattern | None:
        """Return a pattern, if nobody has deleted it meanwhile."""
        return await self.library.get(pattern_id)

    async def learn(self, context: RunContext) -> None:
        """Learn from a run that is over; what fails here costs the run nothing."""
        switches = self._read_switches(context)
        if not switches.are_on or not context.progress.tool_calls:
            return
        run = context.run
        try:
            await learn_run(
                self.library,
                self.log,
                run.session_id,
                run.run_id,
                goal=context.message.text,
                is_tainted=context.progress.began_tainted,
                user_id=self.user_id,
                switches=switches,
            )
        except DataAgentError:
            logger.exception("the run %s was not learned from", run.run_id)

    def _read_switches(self, context: RunContext) -> LearningSwitches:
        wanted = context.message.planning.get("learn", True)
        is_own = context.run.kind == "message" and context.message.background is None
        return LearningSwitches(tenant=self.is_enabled, session=bool(wanted) and is_own)


def make_pattern_events(
    finding: PatternFinding, run_id: str, *, is_offered: bool
) -> Sequence[Event]:
    """Say which patterns fit, and what becomes of them."""
    listed = [(match, "hint") for match in list_hints(finding, is_offered=is_offered)]
    if is_offered and finding.offer is not None:
        listed.insert(0, (finding.offer, "offered"))
    return [_make_pattern_event(match, run_id, mode) for match, mode in listed]


def _make_pattern_event(match: FoundPattern, run_id: str, mode: str) -> PatternEvent:
    """Make the event of one pattern; each says once what becomes of it."""
    return PatternEvent(
        event_id=f"pattern {mode}:{run_id}:{match.pattern.id}",
        pattern_id=match.pattern.id,
        similarity=round(match.similarity, 3),
        mode=mode,
    )


def make_used_event(pattern_id: str, run_id: str) -> PatternEvent:
    """Say that a run works by a pattern."""
    return PatternEvent(
        event_id=f"pattern used:{run_id}:{pattern_id}",
        pattern_id=pattern_id,
        similarity=1.0,
        mode="used",
    )


def list_hints(finding: PatternFinding, *, is_offered: bool) -> list[FoundPattern]:
    """List the patterns that the model is told of."""
    best = [] if finding.offer is None or is_offered else [finding.offer]
    return [*best, *finding.hints]


def make_hint_note(matches: Sequence[FoundPattern]) -> str:
    """Tell the model how such work went before; empty where there is nothing to tell."""
    if not matches:
        return ""
    return _HINT.format(ways="\n".join(describe_pattern(match.pattern) for match in matches))


def describe_pattern(pattern: InteractionPattern) -> str:
    """Describe a pattern in a few lines."""
    lines = [f"- {make_prompt_line(pattern.name)}"]
    lines += [f"  {number}. {_describe_step(s)}" for number, s in enumerate(pattern.steps, 1)]
    for one in pattern.decision_preferences:
        lines.append(f"  asked {make_prompt_line(one.question)!r}, people chose {one.preferred!r}")
    lines += [f"  people corrected: {make_prompt_line(text)}" for text in pattern.corrections]
    return "\n".join(lines)


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


def _describe_step(step: Any) -> str:
    tools = f" ({', '.join(step.tools)})" if step.tools else ""
    return f"{make_prompt_line(step.description)}{tools}".strip()
