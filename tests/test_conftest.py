"""The rules of the root conftest.py, tested with separate pytest runs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SKIPPED_MODULE = "import pytest\n\npytest.skip('no service', allow_module_level=True)\n"
TESTS = """
import pytest

def test_skipped():
    pytest.skip("no service")

@pytest.mark.xfail
def test_expected_to_fail():
    assert False

@pytest.mark.slow
def test_slow(): ...
"""
SECOND_ATTEMPT = """
import pytest

seen = []

@pytest.mark.flaky(reruns=1)
def test_a():
    seen.append(1)
    assert len(seen) == 2
"""


def run_pytest(folder: Path, source: str, *options: str, required: bool = False) -> str:
    """Run a test file with the root's settings and conftest.py in a new process."""
    (folder / "test_it.py").write_text(source)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment["DATAAGENT_REQUIRE_SERVICES"] = "1" if required else "0"
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-c", ROOT / "pyproject.toml"]
    # The cache would be written into the folder, and langsmith's plugin costs a second to load.
    without = ["-p", "no:cacheprovider", "-p", "no:langsmith_plugin"]
    run = subprocess.run(
        [*command, "--rootdir", folder, *without, "-v", *options, folder / "test_it.py"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{run.stdout}\nexit code {run.returncode}"


def test_a_skipped_test_fails_where_services_are_required_but_an_expected_failure_does_not(
    tmp_path: Path,
):
    output = run_pytest(tmp_path, TESTS, required=True)
    assert "1 failed, 1 deselected, 1 xfailed" in output
    assert "skipped although DATAAGENT_REQUIRE_SERVICES=1" in output
    assert "no service" in output
    assert "exit code 1" in output


def test_a_skipped_module_fails_where_services_are_required(tmp_path: Path):
    output = run_pytest(tmp_path, SKIPPED_MODULE, required=True)
    assert "skipped although DATAAGENT_REQUIRE_SERVICES=1" in output
    assert f"exit code {pytest.ExitCode.INTERRUPTED.value}" in output


def test_a_skip_is_only_a_skip_where_services_are_optional_and_slow_tests_are_left_out(
    tmp_path: Path,
):
    output = run_pytest(tmp_path, TESTS)
    assert "1 skipped, 1 deselected, 1 xfailed" in output
    assert "exit code 0" in output


def test_slow_tests_run_when_asked_for(tmp_path: Path):
    output = run_pytest(tmp_path, TESTS, "-m", "slow")
    assert "test_slow PASSED" in output
    assert "1 passed, 2 deselected" in output


def test_a_run_ends_with_times_second_attempts_and_the_state_of_the_manifest(tmp_path: Path):
    output = run_pytest(tmp_path, SECOND_ATTEMPT)
    assert re.search(r"^ seconds +budget +tests +folder$", output, re.MULTILINE)
    assert "tests that needed a second attempt: 1\n  test_it.py::test_a\n" in output
    assert re.search(r"^requirements: \d+ shown, \d+ planned$", output, re.MULTILINE)
