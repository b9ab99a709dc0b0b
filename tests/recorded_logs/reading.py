"""The recorded logs, and core's export of one."""

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


# The names of a turn's parts in the files beside the logs.
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
    """Return the turns of a log as JSON values; user messages are in no log."""
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
