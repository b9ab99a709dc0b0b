"""A newcomer makes a skill and a sub-agent, and uses both in a conversation."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., subprocess.CompletedProcess[bytes]]

LONG = {"description": "Read the tunnel plans.", "subagent_type": "bill-reader"}
LOADS = {"tool_calls": [{"name": "skill", "args": {"name": "invoice-check"}}]}
SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "invoice": [LOADS, {"text": "It adds up."}],
    "long": [{"tool_calls": [{"name": "start_task", "args": LONG}]}, {"text": "Begun."}],
    "tunnel": [{"text": "word " * 400, "chunk_chars": 5, "chunk_delay_s": 0.1}],
    "bill": [{"text": "Ten euros."}, {"text": "The reader says ten."}],
}
DONE = r"{}[\s\S]*done ·[\s\S]*ask anything"


def test_a_skill_fires_until_it_is_disabled_and_a_sub_agent_works_when_it_is_named(
    dataagent: Run, open_terminal: Callable[..., Any], scripts: Any, workspace: Path
):
    about = ("--description", "Checks invoices of suppliers. Use it for any invoice.", "--project")
    assert dataagent("skills", "new", "invoice-check", *about).returncode == 0
    assert dataagent("skills", "validate", "invoice-check").returncode == 0
    assert b"100%" in dataagent("skills", "test", "invoice-check").stdout
    made = dataagent("agents", "new", "bill-reader", "--description", "Reads bills.", "--project")
    assert made.returncode == 0
    assert b"@bill-reader asks for it" in made.stderr
    with scripts(**SCRIPTS), open_terminal(columns=100, rows=50) as terminal:
        terminal.until("openai:scripted")
        terminal.enter("please check this invoice of a supplier")
        terminal.until("a skill fits: invoice-check")
        terminal.until(r"✓ load skill invoice-check · \d+")
        terminal.until(DONE.format(r"It adds up\."))
        file = workspace / ".dataagent/skills/invoice-check/SKILL.md"
        off = "name: invoice-check\nstatus: disabled\n"
        file.write_text(file.read_text().replace("name: invoice-check\n", off))
        terminal.enter("please check the next invoice of a supplier")
        terminal.until("There is no skill 'invoice-check'")
        terminal.enter("@bill-reader read the bill")
        terminal.until("a sub-agent fits: bill-reader")
        terminal.until(DONE.format(r"The reader says ten\."))
        terminal.enter("/unfold")
        terminal.until(r"Report of the sub-agent bill-reader:\s+Ten euros\.")
        terminal.enter("@bill-reader this is long")
        terminal.until(r"bill-reader works in the background · task-\w+ · Read the tunnel plans\.")
        terminal.until(DONE.format(r"Begun\."))
        terminal.keys("C-d")
        terminal.until("Background tasks that stop now: 1")
        assert terminal.exit_code() == 0
        shown = terminal.everything()
    assert shown.count("a skill fits: invoice-check") == 1
    # Whom the person named is not asked about.
    assert "your choice" not in shown
