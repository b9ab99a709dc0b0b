"""The workflow of a pattern as it is stored: the file, and what running it has saved. Pure.

It is part of the pattern, under one key of its metadata: it is deleted with it, and shared with it.
"""

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from dataagent_core.patterns.interaction_pattern import InteractionPattern
from dataagent_core.patterns.workflow.read_workflow import read_workflow
from dataagent_core.patterns.workflow.workflow import Baseline, Workflow

_KEY: Final = "workflow"
_OFFERED: Final = "workflow_offered"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowRecord:
    """The file, and counts of its runs."""

    text: str
    # Its name in the file, for lists of many.
    name: str = ""
    runs: int = 0
    # Runs that the agent finished, because something was not as before.
    handed_over: int = 0
    tokens_saved: int = 0
    seconds_saved: float = 0.0

    def read(self) -> Workflow:
        """Return the workflow."""
        return read_workflow(self.text)

    def after_run(
        self, measured: Baseline, *, tokens: int, seconds: float, handed_over: bool
    ) -> "WorkflowRecord":
        """Return the record after a run; one that took more than before saved less than nothing."""
        return replace(
            self,
            runs=self.runs + 1,
            handed_over=self.handed_over + handed_over,
            tokens_saved=self.tokens_saved + measured.tokens - tokens,
            seconds_saved=round(self.seconds_saved + measured.seconds - seconds, 1),
        )


def read_record(pattern: InteractionPattern) -> WorkflowRecord | None:
    """Return the workflow of a pattern, if it has one."""
    stored: Any = pattern.metadata.get(_KEY)
    return WorkflowRecord(**stored) if stored else None


def with_record(pattern: InteractionPattern, record: WorkflowRecord) -> InteractionPattern:
    """Return the pattern with its workflow."""
    return replace(pattern, metadata={**pattern.metadata, _KEY: asdict(record)})


def with_text(pattern: InteractionPattern, text: str) -> InteractionPattern:
    """Return the pattern with a new file of its workflow; what was counted stays."""
    before = read_record(pattern) or WorkflowRecord(text=text)
    return with_record(pattern, replace(before, text=text, name=read_workflow(text).name))


def without_record(pattern: InteractionPattern) -> InteractionPattern:
    """Return the pattern without its workflow; no other one is offered by itself."""
    left = {key: value for key, value in pattern.metadata.items() if key != _KEY}
    return replace(pattern, metadata={**left, _OFFERED: True})


def with_offer(pattern: InteractionPattern) -> InteractionPattern:
    """Return the pattern after a person was told that a workflow can be made of it."""
    return replace(pattern, metadata={**pattern.metadata, _OFFERED: True})


def may_offer(pattern: InteractionPattern, repeats: int) -> bool:
    """Say whether a person is to be told, once, that a workflow can be made of a pattern."""
    is_known = _KEY in pattern.metadata or _OFFERED in pattern.metadata
    return not is_known and count_repeats(pattern) >= repeats


def count_repeats(pattern: InteractionPattern) -> int:
    """Return how often it was done cleanly in the same way, of the runs it remembers."""
    clean = (run for run in pattern.recent_runs if run.success and run.calls_digest)
    counts = Counter(run.calls_digest for run in clean)
    return max(counts.values(), default=0)
