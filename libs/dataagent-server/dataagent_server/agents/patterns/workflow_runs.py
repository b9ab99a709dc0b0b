"""Whose runs a workflow may be compiled from: its file holds values of theirs. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dataagent_core.config.limits.patterns import WORKFLOW_TRACES_MIN
from dataagent_core.patterns import InteractionPattern
from dataagent_core.patterns.workflow.workflow_record import count_repeats
from dataagent_server.agents.patterns.pattern_rows import RunOfPattern
from dataagent_server.agents.patterns.pattern_service import may_read_run
from dataagent_server.identity.auth import Principal


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowRights:
    """What a principal may do with the workflow of a pattern."""

    may_read: bool
    may_change: bool
    # It was done cleanly often enough, in runs that the principal may use.
    can_compile: bool


def with_usable_runs(
    principal: Principal, pattern: InteractionPattern, found: Mapping[str, RunOfPattern]
) -> InteractionPattern:
    """Return the pattern with the runs alone that the principal may compile.

    The owner of the pattern reads the file: an admin leaves out what others than the two did.
    """
    usable = [
        learned
        for learned in pattern.recent_runs
        if (run := found.get(learned.run_id)) is not None
        and run.session_id == learned.session_id
        and may_read_run(principal, run)
        and (principal.user_id == pattern.user_id or run.user_id in _name_both(principal, pattern))
    ]
    return replace(pattern, recent_runs=tuple(usable))


def has_enough_runs(pattern: InteractionPattern) -> bool:
    """Say whether a pattern was done cleanly in the same way often enough to be compiled."""
    return count_repeats(pattern) >= WORKFLOW_TRACES_MIN


def _name_both(principal: Principal, pattern: InteractionPattern) -> set[str]:
    return {principal.user_id, pattern.user_id}
