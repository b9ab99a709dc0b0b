"""Counts faults of the server that stopped a run: longer pauses, and an end to retries.

Faults of the store are counted here; lost processes are counted in the run's row (`leases.py`).
"""

from collections import OrderedDict

from dataagent_core.errors import LimitReachedError
from dataagent_server.runs.limits import (
    FAULTS_MAX,
    LOST_ATTEMPTS_MAX,
    PAUSE_AFTER_FAULT_S,
    PAUSE_AFTER_FAULT_S_MAX,
    RUNS_AT_ONCE_MAX,
)
from dataagent_server.runs.run_row import RunRow


def refuse_deadly(run: RunRow) -> None:
    """Fail a run with which one process after the other ended."""
    if run.lost_attempts >= LOST_ATTEMPTS_MAX:
        raise LimitReachedError(
            f"the server's process ended {run.lost_attempts} times in a row while it worked on "
            "this run, and the run got no further in between; it is given up. Look into the "
            "server's log for what ended it (memory, most often), then ask again."
        )


class FaultCounter:
    """Counts faults per run; the oldest entries are dropped."""

    def __init__(self) -> None:
        self._counts: OrderedDict[str, int] = OrderedDict()

    def pause_s(self, run_id: str) -> float:
        """Count one more, and return how long to leave the run alone."""
        count = self._counts[run_id] = self._counts.pop(run_id, 0) + 1
        if len(self._counts) > RUNS_AT_ONCE_MAX:
            self._counts.popitem(last=False)
        return min(PAUSE_AFTER_FAULT_S * 2 ** (count - 1), PAUSE_AFTER_FAULT_S_MAX)

    def forget(self, run_id: str) -> None:
        """Reset the count after a success."""
        self._counts.pop(run_id, None)

    def refuse_hopeless(self, run_id: str) -> None:
        """Fail a run that was stopped too often."""
        if self._counts.get(run_id, 0) >= FAULTS_MAX:
            raise LimitReachedError(
                f"the run was stopped {FAULTS_MAX} times by faults of the store, and is given up. "
                "Look into the server's log, then ask again."
            )
