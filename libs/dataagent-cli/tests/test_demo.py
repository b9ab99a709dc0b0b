"""`dataagent demo`: a whole run with no key, no network and no terminal."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.requirement("F2-demo")
def test_the_demo_plays_a_whole_run_and_names_the_next_step(
    dataagent: Callable[..., subprocess.CompletedProcess[bytes]], workspace: Path
):
    done = dataagent("demo", "--workspace", str(workspace))
    told = done.stderr.decode()
    assert done.returncode == 0, told
    assert "[x] Write the table of sales" in told
    assert "approved by the demo itself: write /sales.csv" in told
    assert "    -South grew from 12,100" in told
    assert "Next: set ANTHROPIC_API_KEY" in told
    assert "The table is in `/sales.csv`" in done.stdout.decode()
    assert (workspace / "report.md").read_text().startswith("# Sales")
