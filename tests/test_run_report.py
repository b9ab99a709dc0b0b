"""The end of a run: time by folder beside its budget, and the tests that needed a second attempt."""

from pathlib import Path

import pytest

from tests.run_report import WAITING, RunReport, budget_folder, file_order, read_budgets

ROOT = Path(__file__).parents[1]
TABLE = """
| folder | seconds | what |
|---|--:|---|
| `tests/console` | 1,200 | walks |
| `tests` | 60 | the rest |
"""


def test_the_budget_is_the_table_of_the_document():
    assert read_budgets(TABLE) == {"tests/console": 1_200, "tests": 60}


def test_a_test_belongs_to_the_nearest_folder_with_a_budget():
    budgets = read_budgets(TABLE)
    assert budget_folder("tests/console/test_a.py::test_a", budgets) == "tests/console"
    assert budget_folder("tests/kill/test_a.py::test_a[x::y/z]", budgets) == "tests"
    assert budget_folder("libs/x/tests/test_a.py::test_a", budgets) == "libs/x/tests"


def test_files_come_longest_first_and_those_that_wait_are_spread_among_them():
    seconds = {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0, "w": 9.0, "v": 1.0, "u": 0.0}
    assert file_order(seconds, {"w", "v", "u"}) == ["a", "w", "b", "c", "d", "v", "u"]
    assert file_order(seconds, set())[0] == "w"
    assert set(read_budgets((ROOT / "CONTRIBUTING.md").read_text())) >= WAITING


def test_the_table_shows_the_longest_first_and_names_what_is_over_its_budget():
    report = RunReport({"a": 10, "b": 100})
    report.folders["b"].seconds = 90.0
    report.folders["a"].seconds = 30.0
    report.folders["c"].tests = 2
    _, *rows, total = report.lines()
    assert [row.split()[3] for row in rows] == ["b", "a", "c"]
    assert [("OVER ITS BUDGET" in row) for row in rows] == [False, True, False]
    assert total.split() == ["120.0", "110", "2", "all"]


def test_tables_that_tests_recorded_are_collected():
    report = RunReport({})
    for when in ("setup", "call", "teardown"):
        report.pytest_runtest_logreport(
            pytest.TestReport(
                nodeid="a/test_b.py::test_c",
                location=("a/test_b.py", 1, "test_c"),
                keywords={},
                outcome="passed",
                longrepr=None,
                when=when,
                user_properties=[("table", "one | two"), ("other", 1)],
            )
        )
    assert report.tables == ["one | two"]


def test_every_folder_of_tests_has_a_budget_and_every_budget_a_folder():
    budgets = read_budgets((ROOT / "CONTRIBUTING.md").read_text())
    files = [*ROOT.glob("libs/*/tests/**/test_*.py"), *ROOT.glob("tests/**/test_*.py")]
    kept = [file for file in files if "node_modules" not in file.parts]
    used = {budget_folder(str(file.relative_to(ROOT)), budgets) for file in kept}
    assert used == set(budgets)
