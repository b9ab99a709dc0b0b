"""The pytest plugin that orders a run by time and ends it with what each folder took.

The end also lists the tests that needed a second attempt, and shows the tables that tests recorded
(`record_property("table", ...)`), from whichever worker they come.

The budget of each folder is the table in CONTRIBUTING.md: one place, which people read and this
prints beside what was measured. Time is shown, never asserted: machines are noisy.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

import pytest

_CONTRIBUTING = Path(__file__).parents[1] / "CONTRIBUTING.md"
_ROW = re.compile(r"^\| `(?P<folder>[^`]+)` \| (?P<seconds>[\d,]+) \|", re.MULTILINE)
# Smaller excesses are not reported: a folder can be late by chance.
_LATE_FACTOR = 1.5
# Folders whose tests mostly wait: for a terminal, a browser or a server's process.
WAITING = frozenset(
    {
        "libs/dataagent-cli/tests",
        "libs/dataagent-cli/tests/repl",
        "libs/dataagent-cli/tests/walk",
        "tests/console",
        "tests/remote",
        "tests/server_kill",
    }
)


@dataclass
class FolderTime:
    """The time of one folder's tests, set-up and tear-down included."""

    tests: int = 0
    seconds: float = 0.0


class RunReport:
    """Adds up the reports of all workers; registered in the controlling process."""

    def __init__(self, budgets: dict[str, int]) -> None:
        self.budgets = budgets
        self.folders: dict[str, FolderTime] = defaultdict(FolderTime)
        self.tables: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        folder = self.folders[budget_folder(report.nodeid, self.budgets)]
        folder.seconds += report.duration
        folder.tests += report.when == "call"
        if report.when == "call":
            self.tables += [str(value) for name, value in report.user_properties if name == "table"]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for table in self.tables:
            terminalreporter.section("measured")
            terminalreporter.write_line(table)
        terminalreporter.section("time by folder")
        for line in self.lines():
            terminalreporter.write_line(line)
        again = [report.nodeid for report in terminalreporter.stats.get("rerun", [])]
        terminalreporter.write_line(f"tests that needed a second attempt: {len(again)}")
        for nodeid in again:
            terminalreporter.write_line(f"  {nodeid}")

    def lines(self) -> list[str]:
        """Render the table, the longest folder first."""
        rows = sorted(self.folders.items(), key=lambda row: -row[1].seconds)
        shown = [f"{'seconds':>8} {'budget':>7} {'tests':>6}  folder"]
        for name, time in rows:
            budget = self.budgets.get(name)
            late = budget is not None and time.seconds > _LATE_FACTOR * budget
            shown.append(
                f"{time.seconds:8.1f} {budget or '-':>7} {time.tests:6}  {name}"
                + ("  OVER ITS BUDGET" if late else "")
            )
        total = sum(time.seconds for _, time in rows)
        planned = sum(self.budgets.values())
        return [*shown, f"{total:8.1f} {planned:>7} {sum(t.tests for _, t in rows):6}  all"]


def budget_folder(nodeid: str, budgets: dict[str, int]) -> str:
    """Return the folder with a budget that contains a test, or the test's own folder."""
    folder = Path(nodeid.partition("::")[0]).parent
    for place in (folder, *folder.parents):
        if str(place) in budgets:
            return str(place)
    return str(folder)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that are expected to take longest first; tests of a file stay together.

    What is expected is the folder's budget, shared among its tests.
    """
    budgets = read_budgets(_CONTRIBUTING.read_text())
    folder_of = {item: budget_folder(item.nodeid, budgets) for item in items}
    tests_in_folder = Counter(folder_of.values())
    seconds: dict[str, float] = defaultdict(float)
    for item, folder in folder_of.items():
        seconds[str(item.path)] += budgets.get(folder, 0) / tests_in_folder[folder]
    waiting = {str(item.path) for item, folder in folder_of.items() if folder in WAITING}
    place = {path: number for number, path in enumerate(file_order(seconds, waiting))}
    items.sort(key=lambda item: place[str(item.path)])


def file_order(seconds: Mapping[str, float], waiting: AbstractSet[str]) -> list[str]:
    """Order files by their seconds, the longest first, those that wait spread among the others.

    Side by side they would leave the cores without work: each kind is handed out in the share of
    its seconds, so that both end together.
    """
    order: list[tuple[float, str]] = []
    for files in (seconds.keys() & waiting, seconds.keys() - waiting):
        total = sum(seconds[file] for file in files) or 1.0
        done = 0.0
        for file in sorted(files, key=lambda file: (-seconds[file], file)):
            order.append((done / total, file))
            done += seconds[file]
    return [file for _, file in sorted(order)]


def read_budgets(text: str) -> dict[str, int]:
    """Read the seconds of each folder from the table in CONTRIBUTING.md."""
    return {m["folder"]: int(m["seconds"].replace(",", "")) for m in _ROW.finditer(text)}


def pytest_configure(config: pytest.Config) -> None:
    """Report in the controlling process only: it receives the workers' reports."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(RunReport(read_budgets(_CONTRIBUTING.read_text())))
