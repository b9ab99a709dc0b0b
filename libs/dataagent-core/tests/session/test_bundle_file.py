"""A bundle may be anybody's: whatever it holds, it is read as data or refused."""

import json
import os
import stat
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.limits import sessions
from dataagent_core.errors import DataAgentError, DirectoryError, ValidationError
from dataagent_core.events import DoneEvent, Event, ModeChangedEvent, RunStartedEvent, TextEvent
from dataagent_core.session import Message, Session
from dataagent_core.session.bundle_file import (
    Bundle,
    archive,
    extract_workspace,
    open_archive,
    read_bundle,
    workspace,
    write_bundle,
)
from dataagent_core.session.export import ExportedSession
from dataagent_core.testing.strategies import events as any_events

HISTORY = {"messages": [], "todos": []}
Parts = dict[str, bytes]


def told(*more: Event) -> ExportedSession:
    events: list[Any] = [
        RunStartedEvent(message_id="r:m0", mode="auto"),
        *more,
        TextEvent(content="hi", is_final=True, figures=[{"value": 1}]),
        DoneEvent(),
    ]
    stored = [
        type(event)(
            **{**event.to_dict(), "seq": n, "run_id": "r", "session_id": "s", "event_id": f"e{n}"}
        )
        for n, event in enumerate(events, 1)
    ]
    message = Message(message_id="r:m0", session_id="s", role="user", content="hello 你好")
    session = Session(session_id="s", user_id="ada", assistant_id="helper")
    return ExportedSession(session=session, title="T", messages=[message], events=stored)


def read(file: Path) -> Bundle:
    with open_archive(file) as opened:
        return read_bundle(opened)


@pytest.fixture
def good(tmp_path: Path) -> Parts:
    file = tmp_path / "good.zip"
    write_bundle(file, told(ModeChangedEvent(mode="auto")), HISTORY)
    with zipfile.ZipFile(file) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def zipped(file: Path, parts: Parts, **extra: bytes) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in {**parts, **extra}.items():
            opened.writestr(name, data)
    return file


def test_what_was_written_is_read_without_what_nobody_vouches_for(tmp_path: Path, good: Parts):
    bundle = read(zipped(tmp_path / "b.zip", good))
    assert bundle.title == "T"
    assert [m.content for m in bundle.part.messages] == ["hello 你好"]
    assert [e.event_type for e in bundle.part.events] == ["start", "mode_changed", "text", "done"]
    values = [e.to_dict() for e in bundle.part.events]
    assert {v["mode"] for v in values if "mode" in v} == {"ask"}
    assert values[2]["figures"] == []


def changed(name: str, change: Callable[[Any], Any]) -> Callable[[Parts], Parts]:
    def apply(parts: Parts) -> Parts:
        lines = [json.loads(line) for line in parts[name].splitlines()]
        return {**parts, name: b"\n".join(json.dumps(one).encode() for one in change(lines))}

    return apply


def field(number: int, **values: Any) -> Callable[[Any], Any]:
    return lambda lines: [{**v, **values} if n == number else v for n, v in enumerate(lines)]


HOSTILE: dict[str, Callable[[Parts], Parts]] = {
    "events out of order": changed("events.jsonl", lambda v: [v[1], v[0], *v[2:]]),
    "an event missing": changed("events.jsonl", lambda v: [v[0], *v[2:]]),
    "an event twice": changed("events.jsonl", field(1, event_id="e1")),
    "a number that is text": changed("events.jsonl", field(0, seq="1")),
    "an unknown event": changed("events.jsonl", field(1, event_type="pickle")),
    "a run id that is a path": changed("events.jsonl", field(1, run_id="../../up")),
    "no run at all": changed("events.jsonl", field(1, run_id=None)),
    "a moment that cannot be": changed("events.jsonl", field(1, timestamp=1e300)),
    "a run never begun": changed("events.jsonl", field(3, run_id="other")),
    "a run not finished": changed("events.jsonl", lambda v: v[:-1]),
    "events after the end": changed(
        "events.jsonl", lambda v: [*v, {**v[2], "seq": 5, "event_id": "e5"}]
    ),
    "a run of no message": changed("events.jsonl", field(0, message_id="x:m0")),
    "a message twice": changed("messages.jsonl", lambda v: [v[0], v[0]]),
    "a role that is none": changed("messages.jsonl", field(0, role="system!")),
    "a message id that is a path": changed("messages.jsonl", field(0, message_id="../x")),
    "a moment without a zone": changed("messages.jsonl", field(0, created_at="2024-01-01")),
    "more than a message": changed("messages.jsonl", field(0, pickled="x")),
    "a text that is none": changed("messages.jsonl", field(0, content=["x"])),
    "a newer version": lambda p: {
        **p,
        "bundle.json": p["bundle.json"].replace(b'"version": 1', b'"version": 2'),
    },
    "no JSON": lambda p: {**p, "history.json": b"\x80\x04\x95pickle"},
    "JSON without end": lambda p: {**p, "history.json": b"[" * 200_000},
    "NaN": lambda p: {**p, "history.json": b"NaN"},
    "a part missing": lambda p: {k: v for k, v in p.items() if k != "events.jsonl"},
    "a pickled checkpoint": lambda p: {**p, "checkpoints.pickle": b"\x80\x04."},
    "an absolute name": lambda p: {**p, "/etc/cron.d/x": b"x"},
    "a name that goes up": lambda p: {**p, "workspace/../../x": b"x"},
    "a name that goes up in Windows": lambda p: {**p, "workspace/..\\..\\x": b"x"},
    "an absolute name inside": lambda p: {**p, "workspace//etc/passwd": b"x"},
    "a drive": lambda p: {**p, "workspace/C:/x": b"x"},
    "a control character": lambda p: {**p, "workspace/a\x1b[31m": b"x"},
    "a name too long": lambda p: {**p, "workspace/" + "a" * 300: b"x"},
    "a path too deep": lambda p: {**p, "workspace/" + "a/" * 40 + "b": b"x"},
}


@pytest.mark.requirement("F8-import-hostile")
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_bundle_that_is_wrong_is_refused(tmp_path: Path, good: Parts, kind: str):
    with pytest.raises(ValidationError):
        read(zipped(tmp_path / "b.zip", HOSTILE[kind](good)))


def test_a_link_and_a_name_twice_are_refused(tmp_path: Path, good: Parts):
    file = zipped(tmp_path / "b.zip", good)
    with zipfile.ZipFile(file, "a") as opened:
        link = zipfile.ZipInfo("workspace/link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        opened.writestr(link, "/etc/passwd")
    with pytest.raises(ValidationError, match="no plain file"):
        read(file)
    file = zipped(tmp_path / "c.zip", good)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(file, "a") as opened:
        opened.writestr("events.jsonl", b"")
    with pytest.raises(ValidationError, match="twice"):
        read(file)


def test_what_unpacks_to_more_than_is_read_is_refused(
    tmp_path: Path, good: Parts, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(archive, "BUNDLE_PART_BYTES_MAX", 1_000_000)
    bomb = zipped(tmp_path / "b.zip", {**good, "history.json": b"0" * 50_000_000})
    assert bomb.stat().st_size < 100_000
    with pytest.raises(ValidationError, match="more than"):
        read(bomb)
    lines = zipped(tmp_path / "c.zip", {**good, "messages.jsonl": b" " * 50_000_000})
    with pytest.raises(ValidationError, match="too large"):
        read(lines)


def test_a_size_that_lies_does_not_help(tmp_path: Path, good: Parts):
    file = zipped(tmp_path / "b.zip", good, **{"workspace/a": b"x" * 100_000})
    data = file.read_bytes()
    # In the list of contents: the file says that it has 10 bytes.
    file.write_bytes(data.replace(struct.pack("<L", 100_000), struct.pack("<L", 10)))
    with pytest.raises(DataAgentError), open_archive(file) as opened:
        extract_workspace(opened, tmp_path / "out")


@given(data=st.binary(max_size=300))
@pytest.mark.requirement("F8-import-hostile")
def test_bytes_that_are_no_bundle_are_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
):
    file = tmp_path_factory.getbasetemp() / "random.zip"
    file.write_bytes(data)
    with pytest.raises(ValidationError):
        read(file)


@given(data=st.data())
@pytest.mark.requirement("F8-import-hostile")
def test_a_bundle_with_changed_bytes_is_read_or_refused_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
):
    base = tmp_path_factory.getbasetemp()
    file = base / "changed.zip"
    write_bundle(file, told(), HISTORY)
    content = bytearray(file.read_bytes())
    # As shares: how long a packed file is differs from time to time.
    for _ in range(data.draw(st.integers(1, 6))):
        at = int(data.draw(st.floats(0, 0.999)) * len(content))
        content[at] = data.draw(st.integers(0, 255))
    left = data.draw(st.just(1.0) | st.floats(0, 1))
    file.write_bytes(content[: int(left * len(content))])
    with suppress(ValidationError):
        read(file)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(data=st.data())
@pytest.mark.requirement("F8-import-hostile")
def test_any_values_in_any_field_are_read_or_refused_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
):
    base = tmp_path_factory.getbasetemp()
    file = base / "values.zip"
    write_bundle(file, told(*data.draw(st.lists(any_events(), max_size=2))), HISTORY)
    with zipfile.ZipFile(file) as opened:
        parts = {name: opened.read(name) for name in opened.namelist()}
    name = data.draw(st.sampled_from(["events.jsonl", "messages.jsonl"]))
    lines = [json.loads(line) for line in parts[name].splitlines()]
    line = data.draw(st.sampled_from(lines))
    line[data.draw(st.sampled_from(sorted(line)))] = data.draw(json_values)
    parts[name] = b"\n".join(json.dumps(one).encode() for one in lines)
    try:
        bundle = read(zipped(file, parts))
    except ValidationError:
        return
    assert [e.seq for e in bundle.part.events] == list(range(1, len(bundle.part.events) + 1))


@pytest.fixture
def full(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "sub" / "deep").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".dataagent").mkdir()
    for name, text in {
        "a.txt": "plain",
        "sub/deep/中文.md": "deep",
        "run.sh": "#!/bin/sh",
        ".env": "KEY=hunter2",
        ".env.example": "KEY=",
        ".env.local": "KEY=hunter2",
        "server.pem": "hunter2",
        ".mcp.json": "{}",
        ".git/config": "hunter2",
        ".dataagent/permissions.toml": "hunter2",
    }.items():
        (root / name).write_text(text)
    (root / "run.sh").chmod(0o755)
    (root / "outside").symlink_to(tmp_path)
    (root / "passwd").symlink_to("/etc/passwd")
    os.mkfifo(root / "pipe")
    return root


@pytest.mark.requirement("F8-bundle")
def test_a_workspace_comes_along_without_links_rules_and_secrets(tmp_path: Path, full: Path):
    file = tmp_path / "b.zip"
    collected = write_bundle(file, told(), HISTORY, full)
    assert b"hunter2" not in file.read_bytes()
    kept = [".env.example", "a.txt", "run.sh", "sub/deep/中文.md"]
    assert sorted(collected.files) == kept
    assert {".env", ".env.local", ".git/", ".mcp.json", "passwd", "outside", "pipe"} <= set(
        collected.left_out
    )
    with open_archive(file) as opened:
        extracted = extract_workspace(opened, tmp_path / "new" / "place")
    place = tmp_path / "new" / "place"
    found = sorted(str(p.relative_to(place)) for p in place.rglob("*") if p.is_file())
    assert (found, extracted.files) == (kept, 4)
    assert (place / "sub/deep/中文.md").read_text() == "deep"
    assert os.access(place / "run.sh", os.X_OK)
    assert not os.access(place / "a.txt", os.X_OK)


def test_what_a_bundle_should_not_have_is_left_out_when_it_has_it(tmp_path: Path, good: Parts):
    extra = {"workspace/.git/hooks/post-checkout": b"x", "workspace/.mcp.json": b"{}"}
    extra |= {"workspace/.DataAgent/permissions.toml": b"x", "workspace/ok": b"y"}
    with open_archive(zipped(tmp_path / "b.zip", good, **extra)) as opened:
        extracted = extract_workspace(opened, tmp_path / "out")
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["ok"]
    assert len(extracted.left_out) == 3


def test_files_go_only_where_nothing_is(tmp_path: Path, good: Parts):
    file = zipped(tmp_path / "b.zip", good, **{"workspace/a": b"x"})
    there = tmp_path / "there"
    there.mkdir()
    (there / "a").write_text("mine")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere")
    for target in (there, link, there / "a"):
        with open_archive(file) as opened, pytest.raises(DirectoryError):
            extract_workspace(opened, target)
    assert (there / "a").read_text() == "mine"
    both = zipped(tmp_path / "c.zip", good, **{"workspace/a": b"x", "workspace/a/b": b"x"})
    with open_archive(both) as opened, pytest.raises(ValidationError, match="another"):
        extract_workspace(opened, tmp_path / "out")


def test_a_workspace_that_is_too_large_is_refused_before_anything_is_written(
    tmp_path: Path, full: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(workspace, "BUNDLE_WORKSPACE_BYTES_MAX", 5)
    with pytest.raises(ValidationError, match="too large"):
        write_bundle(tmp_path / "b.zip", told(), HISTORY, full)
    assert not list(tmp_path.glob("*.zip"))
    assert not list(tmp_path.glob(".bundle-*"))
    assert sessions.BUNDLE_FILES_MAX > 0
