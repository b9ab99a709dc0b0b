"""Compiles a workflow from runs that were done the same way. Pure.

Only clean runs count: they succeeded, no call failed and nobody corrected them. What differs in
them is sorted out in `generalise.py`; runs that cannot be compared are an error that says why.
"""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from dataagent_core.config.limits.patterns import (
    PATTERN_GOAL_CHARS_MAX,
    WORKFLOW_NAMES_MAX,
    WORKFLOW_STEPS_MAX,
    WORKFLOW_TRACES_MAX,
    WORKFLOW_TRACES_MIN,
)
from dataagent_core.errors import ValidationError
from dataagent_core.patterns.interaction_pattern import InteractionPattern
from dataagent_core.patterns.scrub import holds_private, scrub
from dataagent_core.patterns.trace import InteractionTrace
from dataagent_core.patterns.workflow.clean_runs import find_chain, is_clean, list_steps
from dataagent_core.patterns.workflow.generalise import Generaliser
from dataagent_core.patterns.workflow.result_shape import join_shapes
from dataagent_core.patterns.workflow.text_templates import TemplateMaker
from dataagent_core.patterns.workflow.value_sources import ValueSources
from dataagent_core.patterns.workflow.workflow import Baseline, TextTemplate, Workflow, WorkflowStep

_NO_NAME: Final = re.compile(r"[^a-z0-9\u3400-\u9fff]+")
_NAME_CHARS_MAX: Final = 60
# The last line of an answer, which a run by a plan adds by itself (`planning/answer_sources.py`).
_SOURCES: Final = re.compile(
    r"\n\n(?:Sources: \[step|\u6765\u6e90\uff1a\[\u6b65\u9aa4) \d+\] [^\n]*\Z"
)


def compile_workflow(pattern: InteractionPattern, traces: Sequence[InteractionTrace]) -> Workflow:
    """Return the workflow of a pattern from its runs, the newest run first."""
    alike = _choose_alike(traces)
    runs = [list_steps(trace) for trace in alike]
    first = runs[0]
    if len(first) > WORKFLOW_STEPS_MAX:
        raise ValidationError(
            f"The runs have {len(first)} calls, and a workflow may have {WORKFLOW_STEPS_MAX}."
        )
    together = [all(run[n].is_together for run in runs) and n > 0 for n in range(len(first))]
    found = ValueSources(
        words=[_list_words(trace) for trace in alike],
        calls=runs,
        known_before=[*_count_known(together), len(first)],
    )
    made = Generaliser(found, TemplateMaker(found))
    args = [
        {
            key: made.generalise([run[number].args[key] for run in runs], number, key)
            for key in call.args
        }
        for number, call in enumerate(first)
    ]
    answer = made.make_answer([_SOURCES.sub("", trace.final_result) for trace in alike])
    steps = tuple(
        WorkflowStep(
            tool=call.tool_name,
            args=args[number],
            takes=found.takes.get(number, {}),
            expect=join_shapes([run[number].shape for run in runs]),
            is_together=together[number],
        )
        for number, call in enumerate(first)
    )
    if len(found.values) > WORKFLOW_NAMES_MAX:
        raise ValidationError(
            f"The runs differ in {len(found.values)} values, and a workflow may have "
            f"{WORKFLOW_NAMES_MAX}: they are too different."
        )
    goal = made.make_goal(alike[0].user_goal)
    if holds_private(goal.template):
        goal = TextTemplate(scrub(goal.template, PATTERN_GOAL_CHARS_MAX))
    return Workflow(
        name=_make_name(goal, pattern),
        pattern_id=pattern.id,
        goal=goal,
        inputs=found.inputs,
        steps=steps,
        answer=answer,
        measured=_measure(alike),
    )


def _make_name(goal: TextTemplate, pattern: InteractionPattern) -> str:
    """Return the name that a workflow has at first: its request, with the names of its inputs."""
    name = _NO_NAME.sub("-", goal.template.lower()).strip("-")[:_NAME_CHARS_MAX].strip("-")
    return name or f"workflow-{pattern.id[:8]}"


def _choose_alike(traces: Sequence[InteractionTrace]) -> list[InteractionTrace]:
    """Choose the largest group of clean runs with the same calls."""
    clean = [trace for trace in traces if is_clean(trace)]
    in_order = sorted(clean, key=find_chain)
    groups = [list(group) for _, group in groupby(in_order, key=find_chain)]
    alike = max(groups, key=len, default=[])
    if len(alike) < WORKFLOW_TRACES_MIN:
        raise ValidationError(
            f"Of {len(traces)} runs {len(clean)} were clean, and {len(alike)} of them had the same "
            f"calls with the same arguments: a workflow needs {WORKFLOW_TRACES_MIN}. Let the agent "
            "do it some more times."
        )
    return alike[:WORKFLOW_TRACES_MAX]


def _list_words(trace: InteractionTrace) -> str:
    """Return what the person said: the request, and answers to questions of the agent's own."""
    asked = [one for one in trace.clarifications if one.by_person and not one.is_tainted]
    return "\n".join([trace.user_goal, *(one.answer for one in asked)])


def _count_known(together: Sequence[bool]) -> list[int]:
    """Return for each step how many steps were over when it was called."""
    known: list[int] = []
    for number, is_together in enumerate(together):
        known.append(known[-1] if is_together else number)
    return known


def _measure(traces: Sequence[InteractionTrace]) -> Baseline:
    count = len(traces)
    return Baseline(
        runs=count,
        tokens=round(sum(trace.tokens_used for trace in traces) / count),
        seconds=round(sum(trace.duration_ms for trace in traces) / count / 1000, 1),
    )
