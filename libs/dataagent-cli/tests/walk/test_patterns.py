"""The same task three times becomes a pattern in a real terminal: it is offered, compiled and run."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

OpenTerminal = Callable[..., Any]
MONTHS = ("2026-01", "2026-02", "2026-03")
TASK = "Write the sales note of {month} into a file"
WORKFLOW = "write-the-sales-note-of-date-into-a-file"
NO_SPECIALIST = {r'^\{"message"[\s\S]*"specialists"': [{"text": '{"subagents": []}'}]}


def turns(month: str) -> list[dict[str, Any]]:
    """Script a model that writes a note and reads it."""
    path = f"/{month}.md"
    calls = [
        {"name": "write_file", "args": {"file_path": path, "content": f"Sales of {month}\n"}},
        {"name": "read_file", "args": {"file_path": path}},
    ]
    return [
        *({"tool_calls": [call]} for call in calls),
        {"text": f"The note of {month} is written."},
    ]


def do_the_task(terminal: Any, month: str) -> None:
    terminal.enter(TASK.format(month=month))
    if month == MONTHS[0]:
        terminal.until(r"\[a\] always[\s\S]*your choice:")
        terminal.enter("a")
    terminal.until(rf"The note of {month} is written\.\n[\s\S]*done ·", everywhere=True)


@pytest.mark.requirement("F21-walk-pattern")
@pytest.mark.requirement("S2-6.5.5")
def test_what_was_done_three_times_is_offered_rated_compiled_and_runs_without_a_model(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str], workspace: Path
):
    environment["DATAAGENT_PLANNING"] = "never"
    scripted = NO_SPECIALIST | {month: turns(month) for month in MONTHS}
    # The question about the pattern is a turn of the plan; the answer comes after its step.
    scripted["2026-04"] = [{}, *turns("2026-04"), turns("2026-04")[-1]]
    with scripts(**scripted), open_terminal(columns=100, rows=50) as terminal:
        terminal.until("openai:scripted")
        for month in MONTHS:
            do_the_task(terminal, month)
        terminal.enter("/rate good")
        terminal.until("rated as helpful")
        terminal.enter(TASK.format(month="2026-04"))
        terminal.until(
            r"an earlier way of working fits \(100%\): .*dataagent patterns show [0-9a-f]{8}"
        )
        terminal.until(
            r"This was done before with success\. Again that way\?\n"
            r"[\s\S]*It succeeded 3 of 3 times\.\n"
            r"[\s\S]*1\. write_file\n[\s\S]*2\. read_file\n"
            r"[\s\S]*\[1\] Do it that way · "
        )
        terminal.enter("1")
        terminal.until(r"Sources: \[step 1\] Write the sales note[\s\S]*done ·")
        assert (workspace / "2026-04.md").read_text() == "Sales of 2026-04\n"
        terminal.enter("/patterns")
        shown = terminal.until(
            r"This makes a workflow of it: .*dataagent patterns compile [0-9a-f]{8}"
        )
        (name,) = {line.split()[0] for line in shown.splitlines() if " trusted " in line}
        terminal.enter(f"/patterns compile {name}")
        terminal.until(
            rf"goal: Write the sales note of \{{\{{date\}}\}} into a file[\s\S]*"
            rf"Store the workflow {WORKFLOW}\? \[y/N\]:",
            everywhere=True,
        )
        terminal.enter("y")
        terminal.until(rf"stored; run it: .*dataagent patterns run {WORKFLOW} --input date=2026-04")
        # The script knows no answer for this month: no model is asked.
        terminal.enter(f"/patterns run {WORKFLOW} --input date=2026-09 --yes")
        terminal.until(r"runs as the workflow of the pattern [0-9a-f]{8}", everywhere=True)
        terminal.until(r"The note of 2026-09 is written\.", everywhere=True)
        terminal.until(r"continue with: .*dataagent run --session")
        assert (workspace / "2026-09.md").read_text() == "Sales of 2026-09\n"
        terminal.enter("/patterns list")
        terminal.until(rf"{WORKFLOW} +trusted +\d +100% +1 run, 0 handed over")
        terminal.enter(f"/patterns forget {WORKFLOW}")
        terminal.until(r"Delete the pattern .* and all it learned\? \[y/N\]:")
        terminal.enter("y")
        terminal.until("forgot Write the sales note of {date} into a file")
