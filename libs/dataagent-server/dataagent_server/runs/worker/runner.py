"""What does the work: `inline_runner.py` in this process; others may put it elsewhere."""

from typing import Protocol

from dataagent_server.runs.run_row import RunRow


class Runner(Protocol):
    """Takes up queued runs; the rows say what there is to do."""

    def wake(self) -> None:
        """Look for work now."""
        ...

    def stop_run(self, run: RunRow) -> None:
        """Stop a run that was asked to, wherever it is worked on."""
        ...
