"""What holds for every test of the repository.

Property tests run 25 examples, or as many as DATAAGENT_TEST_EXAMPLES says (`make test-full`: 100),
the same ones every time in CI. Slow tests wait for `-m slow`. Files
are handed out by how long they take, the longest first, so that no worker is left with one alone.
A test that watches a real terminal or browser gets a second attempt when it fails: on a
busy machine the first can come between two drawings. The summary lists those that needed it.
Under DATAAGENT_REQUIRE_SERVICES=1 a test that would be skipped fails, because there a missing
service is a fault of the machine.
"""

import gc
import os
import sys
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, settings

# So that `tests.requirements` can be imported, also when pytest is not started as a module.
sys.path.insert(0, str(Path(__file__).parent))

from tests.counts import default_examples
from tests.line_coverage import LineCoverage

# Little of what is imported or collected becomes garbage; looking for it was a third of the time.
gc.disable()

# Before the plugins, which import what is measured.
LineCoverage.start_if_wanted()

pytest_plugins = ["tests.services.fixtures", "tests.server.fixtures", "tests.run_report"]

settings.register_profile(
    "dataagent",
    max_examples=default_examples(),
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("dataagent")


# Whose tests drive tmux or Chromium.
_WATCHING = (
    "libs/dataagent-cli/tests/repl",
    "libs/dataagent-cli/tests/walk",
    "tests/console",
    "tests/remote",
)
# Among them: files with loops of kills, each marked slow by itself.
_LOOPS = ("test_ctrl_c", "test_killed")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests out unless the command line asks for them; let watchers try twice."""
    for item in items:
        # A long loop looks for what happens rarely: there once is enough.
        is_marked_itself = any(mark.name == "slow" for mark in item.own_markers)
        is_loop = is_marked_itself and item.path.stem in _LOOPS
        if item.nodeid.startswith(_WATCHING) and not is_loop:
            item.add_marker(pytest.mark.flaky(reruns=1))
    if "slow" in config.option.markexpr:
        return
    slow = {item for item in items if item.get_closest_marker("slow")}
    config.hook.pytest_deselected(items=[item for item in items if item in slow])
    items[:] = [item for item in items if item not in slow]


def pytest_sessionfinish() -> None:
    """Save which lines this process ran, where they are measured."""
    if LineCoverage.current is not None:
        LineCoverage.current.save()


def pytest_collection_finish() -> None:
    """Look for garbage from now on, but not among what was collected: it stays till the end."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skipped test red where every service must be there."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn a skipped module red where every service must be there."""
    report = yield
    _refuse_skip(report)
    return report


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    required = os.environ.get("DATAAGENT_REQUIRE_SERVICES") == "1"
    if required and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped although DATAAGENT_REQUIRE_SERVICES=1: {report.longrepr}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much of the manifest is shown by tests and how much is still to come."""
    from tests.requirements import REQUIREMENTS
    from tests.requirements.marks import UnreadableMarkError, marked_tests

    try:
        named = {mark.requirement for mark in marked_tests()}
    except (SyntaxError, UnreadableMarkError) as error:  # its own test fails; keep this summary
        terminalreporter.write_line(f"requirements: cannot be read: {error}")
        return
    shown = sum(entry.id in named for entry in REQUIREMENTS)
    planned = sum(entry.status == "planned" for entry in REQUIREMENTS)
    terminalreporter.write_line(f"requirements: {shown} shown, {planned} planned")


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Write lone surrogates of a report as escapes: a worker cannot send them, and ends instead."""
    return _sendable((yield))


def _sendable(value: Any) -> Any:
    match value:
        case str():
            return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {key: _sendable(inner) for key, inner in cast("dict[str, Any]", value).items()}
        case list() | tuple():
            return [_sendable(inner) for inner in cast("Sequence[Any]", value)]
        case _:
            return value
