"""What a pattern learns from one more run (S2 §6.5.6): `PatternEvolution.update_pattern`. Pure.

A run counts once, however often it is learned, and a thumb given later changes what it counted as.
A cancelled run says nothing about the pattern: people stop a run for any reason. Age is not counted
here: `lifecycle.py` computes it from the moments.
"""

from dataclasses import replace
from datetime import datetime

from dataagent_core.config.limits.patterns import PATTERN_CHAINS_MAX, PATTERN_RUNS_KEPT_MAX
from dataagent_core.patterns.extract import (
    add_preferences,
    add_run,
    find_key_steps,
    find_preferences,
    has_chain_steps,
    identify_tool_chain,
    make_chain_steps,
)
from dataagent_core.patterns.interaction_pattern import (
    InteractionPattern,
    LearnedRun,
    PatternStep,
    SuccessFactors,
)
from dataagent_core.patterns.lifecycle import DEFAULT_TERMS, with_state
from dataagent_core.patterns.pattern_terms import PatternTerms
from dataagent_core.patterns.pattern_text import (
    add_texts,
    describe_correction,
    describe_decision,
    is_advice,
)
from dataagent_core.patterns.trace import InteractionTrace


def learn(
    pattern: InteractionPattern,
    trace: InteractionTrace,
    now: datetime,
    terms: PatternTerms = DEFAULT_TERMS,
) -> InteractionPattern:
    """Return the pattern after a run that worked by it, or for the same task."""
    known = find_learned_run(pattern, trace)
    if known is not None:
        return _learn_again(pattern, known, trace, now, terms)
    if trace.was_cancelled or _is_forgotten(pattern, trace):
        return pattern
    better = _merge_tool_chains(pattern, trace)
    counted = _count(_take_clean_steps(better, trace), trace, now)
    return with_state(_learn_words(counted, trace), now, terms)


def find_learned_run(pattern: InteractionPattern, trace: InteractionTrace) -> LearnedRun | None:
    """Return what a pattern has learned of a run; the log of an imported session may name any."""
    return next(
        (
            run
            for run in pattern.recent_runs
            if (run.run_id, run.session_id) == (trace.run_id, trace.conversation_id)
        ),
        None,
    )


def _is_forgotten(pattern: InteractionPattern, trace: InteractionTrace) -> bool:
    """Say whether a run ended before all that are remembered: it may have been counted then."""
    runs = pattern.recent_runs
    is_full = len(runs) >= PATTERN_RUNS_KEPT_MAX
    return is_full and 0 < trace.ended_s < min(run.at.timestamp() for run in runs)


def _count(
    pattern: InteractionPattern, trace: InteractionTrace, now: datetime
) -> InteractionPattern:
    return replace(
        pattern,
        usage_count=pattern.usage_count + 1,
        success_count=pattern.success_count + trace.success,
        failure_count=pattern.failure_count + (not trace.success),
        consecutive_failures=0 if trace.success else pattern.consecutive_failures + 1,
        avg_execution_time_ms=_average_time(pattern, trace),
        recent_runs=add_run(pattern.recent_runs, trace, now),
        updated_at=max(now, pattern.updated_at),
        last_used_at=max(now, pattern.last_used_at or now),
    )


def _average_time(pattern: InteractionPattern, trace: InteractionTrace) -> int | None:
    if not trace.success:
        return pattern.avg_execution_time_ms
    before, times = pattern.avg_execution_time_ms, pattern.success_count
    if before is None:
        return trace.duration_ms
    return round((before * times + trace.duration_ms) / (times + 1))


def _learn_again(
    pattern: InteractionPattern,
    known: LearnedRun,
    trace: InteractionTrace,
    now: datetime,
    terms: PatternTerms,
) -> InteractionPattern:
    """Change what a run counted as, when a person has said more about it."""
    taught = _learn_words(pattern, trace, is_new=False)
    if known.success == trace.success:
        return taught
    runs = tuple(
        replace(run, success=trace.success) if run is known else run for run in pattern.recent_runs
    )
    change = 1 if trace.success else -1
    changed = replace(
        taught,
        success_count=max(0, pattern.success_count + change),
        failure_count=max(0, pattern.failure_count - change),
        consecutive_failures=_count_last_failures(runs, pattern),
        recent_runs=runs,
        updated_at=max(now, pattern.updated_at),
    )
    return with_state(changed, now, terms)


def _count_last_failures(runs: tuple[LearnedRun, ...], pattern: InteractionPattern) -> int:
    failures = next((n for n, run in enumerate(reversed(runs)) if run.success), len(runs))
    # Of a longer row the first ones are no longer among the runs that are kept.
    return max(failures, pattern.consecutive_failures) if failures == len(runs) else failures


def _learn_words(
    pattern: InteractionPattern, trace: InteractionTrace, *, is_new: bool = True
) -> InteractionPattern:
    """Apply corrections at once, and add up what people chose."""
    corrections = tuple(map(describe_correction, trace.corrections))
    factors = pattern.success_factors
    graves = (d for d in trace.decisions if d.impact == "high" and is_advice(d))
    chosen = find_preferences(trace) if is_new else ()
    return replace(
        pattern,
        steps=tuple(_correct_step(step, trace) for step in pattern.steps),
        corrections=add_texts(pattern.corrections, corrections),
        decision_preferences=add_preferences(pattern.decision_preferences, chosen),
        success_factors=SuccessFactors(
            clarifications_needed=max(factors.clarifications_needed, len(trace.clarifications)),
            critical_decisions=add_texts(
                factors.critical_decisions, map(describe_decision, graves)
            ),
            common_corrections=add_texts(factors.common_corrections, corrections),
        ),
    )


def _correct_step(step: PatternStep, trace: InteractionTrace) -> PatternStep:
    about_it = [one for one in trace.corrections if one.tool_name in step.tools]
    return replace(
        step, corrections=add_texts(step.corrections, map(describe_correction, about_it))
    )


def _merge_tool_chains(pattern: InteractionPattern, trace: InteractionTrace) -> InteractionPattern:
    """Put the chain of a run first if it is really better, and keep the others behind it."""
    chain = identify_tool_chain(trace)
    best = pattern.tool_chains[0] if pattern.tool_chains else ()
    is_clean = trace.success and not trace.corrections and not trace.calls_left_out
    average = pattern.avg_execution_time_ms
    is_faster = average is not None and trace.duration_ms < average
    is_better = not best or len(chain) < len(best) or (len(chain) == len(best) and is_faster)
    if not (chain and is_clean and is_better):
        return pattern
    others = tuple(one for one in pattern.tool_chains if one != chain)
    return replace(
        pattern,
        tool_chains=(chain, *others)[:PATTERN_CHAINS_MAX],
        # Of a run without a plan the steps are its tools.
        steps=make_chain_steps(chain) if has_chain_steps(pattern) else pattern.steps,
    )


def _take_clean_steps(pattern: InteractionPattern, trace: InteractionTrace) -> InteractionPattern:
    """Take the steps of a plan where the pattern has none, or some without their texts."""
    steps = find_key_steps(trace)
    has_texts = bool(steps) and not any(step.is_text_left_out for step in steps)
    lacks_texts = any(not step.description for step in pattern.steps) or not pattern.steps
    return replace(pattern, steps=steps) if trace.success and has_texts and lacks_texts else pattern
