"""The port of a runner: `inline_runner.py` runs in this process; others may run elsewhere."""

from typing import Protocol

from dataagent_server.runs.run_row import RunRow


class Runner(Protocol):
    """Works on queued runs; the rows say what there is to do."""

    def wake(self) -> None:
        """Look for work now."""
        ...

    def stop_run(self, run: RunRow) -> None:
        """Stop a cancelled run, in whichever process it is."""
        ...
