"""The run that is killed, and what must be true of it once it has been resumed to its end.

Every call edits a file of its own, `END` -> `+END`: the number of `+` in a file is the number of
times that call really ran. An edit checks what the file holds against what was read, so even one
whose outcome a kill hid must not happen twice.
"""

import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.warm.popen import WarmPopen

ROOT = Path(__file__).parents[2]
DATAAGENT = str(Path(sys.executable).with_name("dataagent"))
FILES = ("one", "two", "three", "four", "five")
ANSWER = "All five files are edited, each exactly once."


def _edit(name: str) -> dict[str, Any]:
    args = {"file_path": f"/{name}.txt", "old_string": "END", "new_string": "+END"}
    return {"name": "edit_file", "args": args}


def _read(name: str) -> dict[str, Any]:
    return {"name": "read_file", "args": {"file_path": f"/{name}.txt"}}


def script(chunk_delay_s: float = 0.0) -> dict[str, Any]:
    """Two parallel calls, one by a sub-agent, two in sequence; text around them."""
    pace = {"chunk_chars": 6, "chunk_delay_s": chunk_delay_s}
    task = {
        "name": "task",
        "args": {"description": "SUB edit three", "subagent_type": "general-purpose"},
    }
    return {
        "scripts": [
            {"match": "^hello", "steps": [{"text": "Hello there."}]},
            {
                "match": "^SUB",
                "steps": [
                    {"text": "Editing three.", "tool_calls": [_edit("three")], **pace},
                    {"text": "Three is edited.", **pace},
                ],
            },
            {
                "steps": [
                    {"text": "Looking first.", "tool_calls": [_read(n) for n in FILES], **pace},
                    {"text": "Two at once.", "tool_calls": [_edit("one"), _edit("two")], **pace},
                    {"text": "Now a sub-agent.", "tool_calls": [task], **pace},
                    {"text": "One more.", "tool_calls": [_edit("four")], **pace},
                    {"text": "And the last.", "tool_calls": [_edit("five")], **pace},
                    {"text": "All five files are edited, each exactly once.", **pace},
                ]
            },
        ]
    }


def parallel_script() -> dict[str, Any]:
    """Three sub-agents at once, with one, two and two edits; two of them have the same name."""
    work = {"A": ["one"], "B": ["two", "three"], "C": ["four", "five"]}
    named = {"A": "general-purpose", "B": "coder-agent", "C": "coder-agent"}
    tasks = [
        {"name": "task", "args": {"description": f"SUB {who}", "subagent_type": name}}
        for who, name in named.items()
    ]
    parts = [
        {
            "match": f"^SUB {who}",
            "steps": [*({"tool_calls": [_edit(name)]} for name in names), {"text": "Edited."}],
        }
        for who, names in work.items()
    ]
    agent = [
        {"text": "Looking first.", "tool_calls": [_read(n) for n in FILES]},
        {"text": "Three at once.", "tool_calls": tasks},
        {"text": "All five files are edited, each exactly once."},
    ]
    hello = {"match": "^hello", "steps": [{"text": "Hello there."}]}
    return {"scripts": [hello, *parts, {"steps": agent}]}


@dataclass
class Victim:
    """One session with its own home and workspace."""

    home: Path
    workspace: Path
    base_url: str
    session: str = "victim"
    answer: str = ANSWER
    # What is sent beside the message.
    context: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        self.home.mkdir()
        self.workspace.mkdir()
        for name in FILES:
            (self.workspace / f"{name}.txt").write_text("END")
        # Calls that a kill interrupted between intent and outcome: only these may run again.
        self.unknown: Counter[str] = Counter()
        self.kills = 0

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "DATAAGENT_HOME": str(self.home),
            "DATAAGENT_MODEL": "openai:scripted",
            "OPENAI_BASE_URL": self.base_url,
            "PYTHONPATH": str(ROOT),
        }

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a Python program."""
        return subprocess.Popen(
            [sys.executable, *command],
            env=self.environment,
            cwd=self.workspace,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def greet(self) -> None:
        """Make an earlier run in the session, as `worker.py` does."""
        process = self.start_dataagent("run", "hello", "--json", "--session", self.session)
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err

    def start_dataagent(self, *arguments: str) -> WarmPopen:
        return WarmPopen(
            [DATAAGENT, *arguments],
            env=self.environment,
            cwd=self.workspace,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self) -> WarmPopen:
        return self.start_dataagent("run", "go", "--yes", "--json", "--session", self.session)

    def resume(self) -> WarmPopen:
        return self.start_dataagent("run", "--resume", self.session, "--yes", "--json")

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        database = self.home / "dataagent.db"
        if not database.exists():
            return []
        with sqlite3.connect(database) as connection:
            try:
                return connection.execute(query).fetchall()
            except sqlite3.OperationalError:  # killed before the tables were made
                return []

    def events(self) -> list[dict[str, Any]]:
        query = "SELECT event_data FROM agent_execution_events ORDER BY seq"
        return [json.loads(row[0]) for row in self.rows(query)]

    def note_kill(self) -> None:
        """Read from the journal which calls this kill left undecided."""
        self.kills += 1
        keys = {
            row[0]
            for row in self.rows(
                "SELECT call_key FROM tool_execution_records WHERE payload IS NULL"
            )
        }
        for event in self.events():
            is_call = event["event_type"] == "tool_call" and event["tool_name"] == "edit_file"
            if is_call and any(key.endswith(":" + event["tool_call_id"]) for key in keys):
                self.unknown[event["tool_args"]["file_path"]] += 1

    def started(self) -> bool:
        return any(event["event_type"] == "start" for event in self.events())

    def check(self) -> None:
        """Assert what must hold after the run has ended."""
        events = self.events()
        assert [e["seq"] for e in events] == list(range(1, len(events) + 1))
        # The earlier run is unchanged: none of its text is repeated.
        ends = [n for n, e in enumerate(events) if e["event_type"] == "done"]
        assert len(ends) == 2
        assert sum(e.get("content") == "Hello there." for e in events[ends[0] + 1 :]) == 0
        events = events[ends[0] + 1 :]
        kinds = [e["event_type"] for e in events]
        assert kinds.count("start") == kinds.count("done") == 1
        assert kinds[-1] == "done"
        assert events[-1]["reason"] == "completed"
        assert events[-1]["content"] == self.answer
        results = Counter(e["tool_call_id"] for e in events if e["event_type"] == "tool_result")
        assert set(results.values()) == {1}, "a finished call has a second result"
        for name in FILES:
            ran = (self.workspace / f"{name}.txt").read_text().count("+")
            assert ran == 1, f"{name} was edited {ran} times"
        assert shown_text(events).count(self.answer) == 1


def shown_text(events: list[dict[str, Any]]) -> str:
    """Fold the log as a client does: `resumed` voids the events after its number."""
    shown: list[dict[str, Any]] = []
    for event in events:
        if event["event_type"] == "resumed":
            shown = [e for e in shown if e["seq"] <= event["discard_after"]]
        elif event["event_type"] == "text" and event["is_final"]:
            shown.append(event)
    return "\n".join(event["content"] for event in shown)
