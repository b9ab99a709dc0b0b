"""Calls of file tools that must fail do so before anybody is asked about them."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted
from langchain_core.tools import tool

from dataagent_core.tools.composition.definition import ToolComposition


def call(name: str, **args: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "args": args}]}


EDIT = {"old_string": "one", "new_string": "two"}


@pytest.mark.parametrize(
    ("hopeless", "why"),
    [
        (call("edit_file", file_path="/gone.txt", **EDIT), "There is no '/gone.txt'"),
        (call("multi_edit", file_path="/gone.txt", edits=[EDIT]), "There is no '/gone.txt'"),
        (call("delete_file", file_path="/gone.txt"), "/gone.txt"),
        (call("delete_file", file_path="/no/such/gone.txt"), "/no/such"),
        (call("edit_file", file_path="/there.txt", **EDIT), "was not read yet"),
        (call("write_file", file_path="/there.txt", content="x"), "was not read yet"),
        (call("write_file", file_path="/.git/config", content="x"), "protected"),
    ],
)
async def test_a_call_that_must_fail_fails_before_it_is_asked_about(
    tmp_path: Path, hopeless: dict[str, Any], why: str
) -> None:
    (tmp_path / "there.txt").write_text("one\n")
    person = Answering()
    agent = executor(scripted(hopeless, {"text": "ok"}), tmp_path, handler=person)
    events = await events_of(agent)
    assert person.asked == []
    (result,) = [e for e in events if e.event_type == "tool_result"]
    assert result.status == "error"
    assert why in str(result.result)
    assert events[-1].reason == "completed"
    assert (tmp_path / "there.txt").read_text() == "one\n"


async def test_a_file_that_changed_since_it_was_read_is_not_asked_about(tmp_path: Path) -> None:
    file = tmp_path / "there.txt"
    file.write_text("one\n")

    @tool
    async def somebody_else() -> str:
        """Change the file."""
        file.write_text("one and more\n")
        return "changed"

    model = scripted(
        call("read_file", file_path="/there.txt"),
        call("somebody_else"),
        call("edit_file", file_path="/there.txt", **EDIT),
        {"text": "ok"},
    )
    person = Answering()
    agent = executor(model, tmp_path, handler=person, tools=[somebody_else])
    events = await events_of(agent)
    assert person.asked == []
    last = [e for e in events if e.event_type == "tool_result"][-1]
    assert "changed since it was read" in str(last.result)


async def test_what_can_be_done_is_asked_about_and_done(tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_text("one\n")
    (tmp_path / "link").symlink_to("nowhere")
    model = scripted(
        call("read_file", file_path="/there.txt"),
        call("edit_file", file_path="/there.txt", **EDIT),
        call("write_file", file_path="/there.txt", content="three\n"),
        call("delete_file", file_path="/link"),
        call("write_file", file_path="/new/file.txt", content="four\n"),
        {"text": "ok"},
    )
    person = Answering()
    await events_of(executor(model, tmp_path, handler=person))
    assert len(person.asked) == 4
    assert (tmp_path / "there.txt").read_text() == "three\n"
    assert not (tmp_path / "link").is_symlink()
    assert (tmp_path / "new" / "file.txt").read_text() == "four\n"


async def test_a_composition_member_that_ran_is_not_judged_again(tmp_path: Path) -> None:
    """It is met again when the next member was asked about, and its file is another by then."""
    (tmp_path / "there.txt").write_text("one\n")
    steps = [{"file_path": "/there.txt"}, {"file_path": "/there.txt", **EDIT}]
    steps.append({"file_path": "/new.txt", "content": "new\n"})
    template = {"kind": "sequential", "inputs": {}, "steps": [{"args": args} for args in steps]}
    tools = ["read_file", "edit_file", "write_file"]
    composed = ToolComposition("all", "all_three", "Do all three.", tools, template, {})
    person = Answering()
    model = scripted(call("all_three"), {"text": "ok"})
    await events_of(executor(model, tmp_path, handler=person, compositions=[composed]))
    assert [action["name"] for action in person.asked] == ["edit_file", "write_file"]
    assert (tmp_path / "there.txt").read_text() == "two\n"
    assert (tmp_path / "new.txt").read_text() == "new\n"


async def test_calls_are_asked_about_in_their_order_however_long_the_look_ahead_takes(
    tmp_path: Path,
) -> None:
    """The files are of such sizes that the first call is judged last."""
    sizes = {"a": 4_000_000, "b": 400_000, "c": 1}
    for name, size in sizes.items():
        (tmp_path / f"{name}.txt").write_bytes(b"x" * size)
    reads = [{"name": "read_file", "args": {"file_path": f"/{name}.txt"}} for name in sizes]
    writes = [
        {"name": "write_file", "args": {"file_path": f"/{name}.txt", "content": "new"}}
        for name in sizes
    ]
    person = Answering()
    model = scripted({"tool_calls": reads}, {"tool_calls": writes}, {"text": "ok"})
    await events_of(executor(model, tmp_path, handler=person))
    asked = [action["args"]["file_path"] for action in person.asked]
    assert asked == ["/a.txt", "/b.txt", "/c.txt"]
