"""Measures which lines of our packages run, for the coverage floors of `make test-full`.

Python 3.11 has no `sys.monitoring`: coverage.py's tracer is called for every function of every
library and doubles the time of a run. SlipCover puts a probe before each line of the modules that are
ours as they are imported and leaves all others alone. What it saw is saved as coverage.py's data, so
that coverage.py decides what counts as a line and makes the reports.
"""

import os
import sys
from pathlib import Path

from coverage import CoverageData
from slipcover import FileMatcher, ImportManager, Slipcover
from slipcover.importer import wrap_pytest

ROOT = Path(__file__).parents[1]
# Set by `make test-full`; read by pytest's processes and their child processes.
VARIABLE = "DATAAGENT_TEST_COVERAGE"
PACKAGES = ("dataagent_core", "dataagent_cli", "dataagent_server")
# A used probe stays in place: removing it walks all frames and modules.
_NEVER = 1 << 30


class LineCoverage:
    """The probes of this process; there is at most one."""

    current: "LineCoverage | None" = None

    def __init__(self) -> None:
        self._probes = Slipcover(d_miss_threshold=_NEVER)

    @classmethod
    def start_if_wanted(cls) -> None:
        """Instrument what this process imports from now on, if `VARIABLE` is set."""
        if os.environ.get(VARIABLE) != "1" or cls.current is not None:
            return
        imported = [name for name in sys.modules if name.partition(".")[0] in PACKAGES]
        assert not imported, f"imported before they could be measured: {imported}"
        measured = FileMatcher(sources=package_folders())
        cls.current = cls()
        ImportManager(cls.current._probes, measured).__enter__()
        # pytest imports our conformance suites in its own way.
        wrap_pytest(cls.current._probes, measured)

    def start_after_fork(self) -> None:
        """Drop the parent's lines: the parent saves them."""
        self._probes.signal_child_process()

    def save(self) -> None:
        """Write the executed lines to a file of this process."""
        data = CoverageData(basename=str(ROOT / ".coverage"), suffix=True)
        data.add_lines(dict(self._probes.newly_seen))
        data.write()


def package_folders() -> list[Path]:
    return [ROOT / "libs" / name.replace("_", "-") / name for name in PACKAGES]
