"""The recorded logs, and what the core's export tells of one."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dataagent_core.events import Event, from_json
from dataagent_core.session import Session
from dataagent_core.session.export.turns import (
    AnswerPart,
    ErrorPart,
    ExportedSession,
    FileChangePart,
    RequestPart,
    ToolCallPart,
    turns_of,
)

FOLDER = Path(__file__).parent


def names() -> list[str]:
    return sorted(file.stem for file in FOLDER.glob("*.jsonl"))


def lines_of(name: str) -> list[str]:
    return (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()


def events_of(name: str) -> list[Event]:
    return [from_json(line) for line in lines_of(name)]


# What the files beside the logs call the parts of a turn.
_KINDS: dict[type, str] = {
    AnswerPart: "Said",
    ToolCallPart: "Called",
    FileChangePart: "Changed",
    RequestPart: "Asked",
    ErrorPart: "Failed",
}


def turns_file(name: str) -> Path:
    return FOLDER / f"{name}.turns.json"


def told(events: Sequence[Event]) -> list[Mapping[str, Any]]:
    """Give the turns of a log as JSON values; what was asked is in no log."""
    session = Session(session_id="recorded", assistant_id="assistant", user_id="somebody")
    exported = ExportedSession(session=session, title="", messages=(), events=events)
    return [
        {
            "model": turn.model,
            "reason": turn.reason,
            "steps": [{"kind": _KINDS[type(step)], **asdict(step)} for step in turn.steps],
        }
        for turn in turns_of(exported)
    ]
