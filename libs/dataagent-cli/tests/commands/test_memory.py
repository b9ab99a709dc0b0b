"""`dataagent memory`: what is remembered is listed, found as of a date, corrected and forgotten."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dataagent_cli.commands.learned.memory import stored_memories
from dataagent_cli.commands.learned.memory.stored_memories import (
    find_memory,
    find_scopes,
    open_memories,
)
from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.wiring import App
from dataagent_core.config import Settings
from dataagent_core.errors import NotFoundError
from dataagent_core.memory.memory import MemoryMetadata

Command = Callable[..., tuple[int, str, str]]


def listed(command: Command, *options: str) -> list[dict[str, Any]]:
    return json.loads(command("memory", "list", "--json", *options)[1])


@pytest.mark.requirement("F22-1-cli")
def test_a_memory_is_added_found_as_of_shown_corrected_and_forgotten(
    command: Command, environment: dict[str, str]
) -> None:
    code, out, err = command("memory", "list")
    assert (code, out) == (0, "")
    assert 'memory add "I live in Basel"' in err
    assert "memory list" in command("memory", "search", "where do I live")[2]
    assert command("memory", "add", "I live in Basel", "--since", "2026-01-01")[0] == 0
    _, _, err = command("memory", "add", "I live in Zurich", "--type", "fact")
    assert "holds no longer: I live in Basel" in err
    assert [one["content"] for one in listed(command)] == ["I live in Zurich"]
    assert len(listed(command, "--past")) == 2
    assert listed(command, "--type", "decision") == []
    question = ("memory", "search", "where do I live")
    assert "I live in Zurich (added by hand" in command(*question)[1]
    before = command(*question, "--as-of", "2026-02-01", "--explain")[1]
    assert "I live in Basel" in before
    assert "Zurich" not in before
    assert "words 0." in before
    (found,) = json.loads(command(*question, "--json")[1])["results"]
    assert {leg["name"] for leg in found["legs"]} >= {"vector", "keyword"}
    name = found["memory"]["id"][:8]
    shown = command("memory", "show", name)[1]
    assert "STATE: holds" in shown
    assert "- I live in Basel (2026-01-01" in shown
    assert "remembered: I live in Bern" in command("memory", "wrong", name, "I live in Bern")[2]
    exported = Path(environment["DATAAGENT_HOME"]) / "memories.jsonl"
    assert "3 memories written" in command("memory", "export", str(exported))[2]
    assert len(exported.read_text().splitlines()) == 3
    assert json.loads(command("memory", "doctor", "--json")[1])["total"] == 1
    assert "All are clean." in command("memory", "doctor")[1]
    (bern,) = listed(command)
    code, _, err = command("memory", "forget", bern["id"])
    assert (code, "--yes" in err) == (2, True)
    receipt = json.loads(command("memory", "forget", bern["id"], "--yes", "--json")[1])
    assert receipt["remaining"] == {}
    assert sum(receipt["removed"].values()) > 0
    assert listed(command) == []
    assert b"I live in Bern" not in (exported.parent / "memory.db").read_bytes()


def test_what_begins_later_is_not_true_yet(command: Command) -> None:
    command("memory", "add", "I live in Basel", "--since", "2999-01-01")
    (later,) = listed(command, "--past")
    assert "STATE: not true yet" in command("memory", "show", later["id"])[1]


async def test_a_whole_id_is_found_beyond_what_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = App(Settings(home=tmp_path), Messages("en"), Output.of_process())
    opened = open_memories(app)
    scope = find_scopes(app)["user"]
    made = await opened.service.remember("I live in Basel", MemoryMetadata(scope=scope))
    monkeypatch.setattr(stored_memories, "_LISTED_MAX", 0)
    assert (await find_memory(app, opened, made.memory.id)).content == "I live in Basel"
    with pytest.raises(NotFoundError):
        await find_memory(app, opened, made.memory.id[:8])


def test_what_is_no_memory_no_date_and_no_text_is_said(
    command: Command, environment: dict[str, str]
) -> None:
    assert "There is no memory 'abcd'" in command("memory", "show", "abcd")[2]
    for date in ("soon", "0001-01-01T00:00+05:00"):
        assert "is no date" in command("memory", "search", "x", "--as-of", date)[2]
    code, _, err = command("memory", "add", "my password is hunter2-hunter2")
    assert (code, "secret" in err) == (2, True)
    environment["DATAAGENT_LANGUAGE"] = "zh"
    assert "还没有记忆" in command("memory", "list")[2]
