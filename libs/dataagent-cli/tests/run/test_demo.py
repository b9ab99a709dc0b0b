"""`dataagent demo`: a whole run with no key, no network and no terminal."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.requirement("F2-demo")
@pytest.mark.requirement("F5-10")
def test_the_demo_plays_a_whole_run_and_names_the_next_step(
    dataagent: Callable[..., subprocess.CompletedProcess[bytes]], workspace: Path
):
    done = dataagent("demo", "--workspace", str(workspace))
    told = done.stderr.decode()
    assert done.returncode == 0, told
    assert "[ ] Query revenue" in told
    assert "plan 3/3" in told
    assert "approved by the demo itself: write /note.md" in told
    assert "3 │-Grocery leads." in told
    assert "Next: set ANTHROPIC_API_KEY" in told
    assert "| Grocery | 28,793,332.28 |" in done.stdout.decode()
    assert (workspace / "reports" / "revenue-2025.pdf").read_bytes().startswith(b"%PDF")
    assert "<svg" in (workspace / "reports" / "revenue-2025.html").read_text()
    assert list((workspace / "charts").glob("revenue-by-month-*.png"))
