"""The pytest plugin that orders a run by time and ends it with what each folder took.

The end also lists the tests that needed a second attempt, and shows the tables that tests recorded
(`record_property("table", ...)`), from whichever worker they come.

The budget of each folder is the table in CONTRIBUTING.md: one place, which people read and this
prints beside what was measured. Time is shown, never asserted: machines are noisy.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

_CONTRIBUTING = Path(__file__).parents[1] / "CONTRIBUTING.md"
_ROW = re.compile(r"^\| `(?P<folder>[^`]+)` \| (?P<seconds>[\d,]+) \|", re.MULTILINE)
# Less than this is not worth a word: a folder can be late by chance.
_LATE_FACTOR = 1.5


@dataclass
class FolderTime:
    """What the tests of one folder took, set-up and tear-down included."""

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
    """Name the folder with a budget that a test belongs to, or its own folder where there is none."""
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
    tests_in_file = Counter(item.path for item in items)

    def expected_s(item: pytest.Item) -> float:
        folder = folder_of[item]
        return budgets.get(folder, 0) / tests_in_folder[folder] * tests_in_file[item.path]

    items.sort(key=lambda item: (-expected_s(item), str(item.path)))


def read_budgets(text: str) -> dict[str, int]:
    """Read the seconds of each folder from the table in CONTRIBUTING.md."""
    return {m["folder"]: int(m["seconds"].replace(",", "")) for m in _ROW.finditer(text)}


def pytest_configure(config: pytest.Config) -> None:
    """Report in the controlling process only: a worker's reports reach it anyway."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(RunReport(read_budgets(_CONTRIBUTING.read_text())))
