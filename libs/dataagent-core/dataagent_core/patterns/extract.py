"""Extracts a pattern from a successful trace (S2 §6.5.3). Pure.

It takes the steps that mattered, the chain of tools, what people chose and what they corrected.
`pattern_text.py` says which words of a trace may be kept.
"""

import hashlib
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import Final

from dataagent_core.config.limits.patterns import (
    PATTERN_CHAIN_CALLS_MAX,
    PATTERN_CHOICES_MAX,
    PATTERN_NAME_CHARS_MAX,
    PATTERN_PREFERENCES_MAX,
    PATTERN_RUNS_KEPT_MAX,
    PATTERN_STEPS_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.patterns.entities import find_entities
from dataagent_core.patterns.interaction_pattern import (
    DecisionPreference,
    InteractionPattern,
    LearnedRun,
    PatternCall,
    PatternStep,
    SuccessFactors,
    ToolChain,
)
from dataagent_core.patterns.pattern_text import (
    add_texts,
    describe_correction,
    describe_decision,
    find_argument_types,
    is_advice,
    is_tool_name,
    make_pattern_text,
)
from dataagent_core.patterns.signature import sign_terms
from dataagent_core.patterns.trace import InteractionTrace, TracedStep
from dataagent_core.patterns.workflow.clean_runs import find_chain, is_clean

_DIGEST_CHARS: Final = 16
_IDS: Final = uuid.UUID("5f7b3f5e-0d57-4c39-9c0e-8b9f6a0f7a51")


def extract_pattern(
    trace: InteractionTrace, *, tenant_id: str, user_id: str = "", now: datetime
) -> InteractionPattern:
    """Return the pattern of a first success: one use, rate 1.0."""
    if not trace.success:
        raise ValidationError(
            f"The run {trace.run_id} did not succeed: nothing is learned from it."
        )
    goal = find_entities(trace.user_goal)
    signature = sign_terms(goal)
    if not signature:
        raise ValidationError(f"The goal of the run {trace.run_id} has no word to recognise it by.")
    chain = identify_tool_chain(trace)
    corrections = tuple(map(describe_correction, trace.corrections))
    return InteractionPattern(
        id=make_pattern_id(tenant_id, signature),
        tenant_id=tenant_id,
        name=make_pattern_text(trace.user_goal, PATTERN_NAME_CHARS_MAX),
        description=make_pattern_text(trace.user_goal),
        signature=signature,
        entities=goal.terms,
        steps=find_key_steps(trace) or make_chain_steps(chain),
        tool_chains=(chain,) if chain else (),
        success_factors=SuccessFactors(
            clarifications_needed=len(trace.clarifications),
            critical_decisions=add_texts(
                (),
                (
                    describe_decision(one)
                    for one in trace.decisions
                    if one.impact == "high" and is_advice(one)
                ),
            ),
            common_corrections=add_texts((), corrections),
        ),
        decision_preferences=find_preferences(trace),
        corrections=add_texts((), corrections),
        usage_count=1,
        success_count=1,
        avg_execution_time_ms=trace.duration_ms,
        user_id=user_id,
        created_at=now,
        updated_at=now,
        last_used_at=now,
        last_queried_at=now,
        recent_runs=add_run((), trace, now),
    )


def add_run(
    runs: tuple[LearnedRun, ...], trace: InteractionTrace, now: datetime
) -> tuple[LearnedRun, ...]:
    """Return the runs a pattern remembers, with one more."""
    if not trace.run_id:
        return runs
    digest = hashlib.sha256(repr(find_chain(trace)).encode()).hexdigest()[:_DIGEST_CHARS]
    run = LearnedRun(
        run_id=trace.run_id,
        session_id=trace.conversation_id,
        success=trace.success,
        at=now,
        calls_digest=digest if is_clean(trace) else "",
        before=trace.before,
        external_tools=trace.external_tools,
    )
    return (*runs, run)[-PATTERN_RUNS_KEPT_MAX:]


def make_pattern_id(tenant_id: str, signature: str) -> str:
    """Return the id of a tenant's pattern, the same for all who learn it at once."""
    return uuid.uuid5(_IDS, f"{tenant_id}\n{signature}").hex


def identify_tool_chain(trace: InteractionTrace) -> ToolChain:
    """Return the calls that led to the result, without those repeated right away."""
    calls = [
        PatternCall(
            tool=call.tool_name,
            args=find_argument_types(call.args),
            by_subagent=call.subagent_id is not None,
        )
        for call in trace.tool_calls
        if call.succeeded and call.content != "conversation" and is_tool_name(call.tool_name)
    ]
    return tuple(call for call, _ in groupby(calls))[:PATTERN_CHAIN_CALLS_MAX]


def find_key_steps(trace: InteractionTrace) -> tuple[PatternStep, ...]:
    """Return the steps that were done and that the result needed, with the tools really used."""
    called = {call.tool_name for call in trace.tool_calls if call.succeeded}
    called = set(filter(is_tool_name, called))
    return tuple(
        PatternStep(
            description="" if step.is_tainted else make_pattern_text(step.description),
            expected_output="" if step.is_tainted else make_pattern_text(step.expected_output),
            tools=tuple(tool for tool in step.required_tools if tool in called),
            decision_points=add_texts(
                (),
                (
                    describe_decision(one)
                    for one in trace.decisions
                    if one.step_number == step.step_number and is_advice(one)
                ),
            ),
            corrections=add_texts(
                (),
                (
                    describe_correction(one)
                    for one in trace.corrections
                    if one.tool_name in step.required_tools
                ),
            ),
            is_text_left_out=step.is_tainted,
        )
        for step in trace.plan_steps
        if is_critical(step, trace.plan_steps)
    )[:PATTERN_STEPS_MAX]


def is_critical(step: TracedStep, plan: Sequence[TracedStep]) -> bool:
    """Say whether a step was done and needed: by its tools, another step, or the result.

    Of a to-do list, which says nothing of needs, every step counts that was done.
    """
    if step.status != "completed":
        return False
    if not any(one.required_tools or one.dependencies for one in plan):
        return True
    is_needed = any(step.step_number in other.dependencies for other in plan)
    return bool(step.required_tools) or is_needed or step is plan[-1]


def find_preferences(trace: InteractionTrace) -> tuple[DecisionPreference, ...]:
    """Return what people chose where they had a choice."""
    chosen = [
        DecisionPreference(
            question=make_pattern_text(one.context),
            recommended=make_pattern_text(one.recommended),
            choices={choice: 1},
        )
        for one in trace.decisions
        if is_advice(one) and (choice := make_pattern_text(one.user_choice))
    ]
    return add_preferences((), chosen)


def add_preferences(
    known: Iterable[DecisionPreference], chosen: Iterable[DecisionPreference]
) -> tuple[DecisionPreference, ...]:
    """Return preferences with what was chosen since; the oldest questions make room."""
    by_question = {one.question: one for one in known}
    for one in chosen:
        before = by_question.pop(one.question, replace(one, choices={}))
        counts = Counter(before.choices) + Counter(one.choices)
        # Of choices made as often, the latest ones stay.
        latest_first = Counter(dict(reversed(counts.items())))
        kept = dict(latest_first.most_common(PATTERN_CHOICES_MAX))
        choices = {choice: count for choice, count in counts.items() if choice in kept}
        by_question[one.question] = replace(one, choices=choices)
    return tuple(by_question.values())[-PATTERN_PREFERENCES_MAX:]


def make_chain_steps(chain: ToolChain) -> tuple[PatternStep, ...]:
    """Make the steps of a run without a plan: each tool in turn."""
    tools = [tool for tool, _ in groupby(call.tool for call in chain)]
    return tuple(PatternStep(tools=(tool,)) for tool in tools)[:PATTERN_STEPS_MAX]


def has_chain_steps(pattern: InteractionPattern) -> bool:
    """Say whether a pattern's steps are only the tools of its best chain."""
    steps = make_chain_steps(pattern.tool_chains[0]) if pattern.tool_chains else ()
    return [step.tools for step in pattern.steps] == [step.tools for step in steps] and not any(
        step.description or step.is_text_left_out for step in pattern.steps
    )
