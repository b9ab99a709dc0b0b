"""How much is kept: the oldest snapshots go first, and a rewind says that they are gone."""

import asyncio
import time

import pytest
from workspaces_past import Past

from dataagent_core.config.limits import SHADOW_SPARE_S
from dataagent_core.errors import NotFoundError
from dataagent_core.events import FileOperationEvent
from dataagent_core.tools.workspace_history import history_retention, workspace_lock


def told(past: Past, path: str) -> None:
    """Let the log say, as the pipeline does, that the agent changed a file."""
    run_id = past.call().run_id
    event = FileOperationEvent(operation="write", file_path=path)
    asyncio.run(past.log.append(past.session, run_id, [event]))


def two_messages(past: Past) -> tuple[str, str]:
    messages: list[str] = []
    for number in (1, 2):
        messages.append(past.says())
        past.agent(lambda number=number: (past.workspace / "a").write_text(f"{number}" * 100))
        told(past, "/a")
    past.rests()
    return messages[0], messages[1]


def pruned(past: Past) -> None:
    with past.history._shadow.store() as store:  # pyright: ignore[reportPrivateUsage]
        store.connection.execute("BEGIN")
        history_retention.prune_history(store.connection)
        store.connection.execute("COMMIT")


@pytest.mark.parametrize(("limit", "value"), [("HISTORY_CALLS_MAX", 1), ("HISTORY_BYTES_MAX", 150)])
def test_the_oldest_snapshots_go_first_and_a_rewind_says_so(
    past: Past, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
):
    (past.workspace / "a").write_text("0" * 100)
    first, second = two_messages(past)
    monkeypatch.setattr(history_retention, limit, value)
    pruned(past)
    with pytest.raises(NotFoundError, match="are gone"):
        past.rewinds(first)
    assert (past.workspace / "a").read_text() == "2" * 100
    assert any("no longer known" in notice for notice in past.changes().notices)
    assert past.rewinds(second).restored == ("/a",)
    assert (past.workspace / "a").read_text() == "1" * 100


def test_what_is_too_old_goes(past: Past, monkeypatch: pytest.MonkeyPatch):
    first, second = two_messages(past)
    monkeypatch.setattr(history_retention, "HISTORY_S_MAX", -1.0)
    pruned(past)
    for message in (first, second):
        with pytest.raises(NotFoundError, match="are gone"):
            past.rewinds(message)


def test_a_store_that_was_removed_is_said_to_be_gone(past: Past):
    first, _ = two_messages(past)
    for file in past.shadows.rglob("*.db*"):
        file.unlink()
    with pytest.raises(NotFoundError, match="are gone"):
        past.rewinds(first)


def test_contents_a_snapshot_needs_survive_the_clean_up_and_others_do_not(past: Past):
    (past.workspace / "a").write_text("needed")
    message = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("after"))
    (past.workspace / "b").write_text("nobody's")
    past.agent(lambda: None)
    (past.workspace / "b").unlink()
    past.agent(lambda: None)
    with past.history._shadow.store() as store:  # pyright: ignore[reportPrivateUsage]
        old_s = time.time() - SHADOW_SPARE_S - 1
        store.connection.execute("UPDATE contents SET used_s = ?", (old_s,))
        store.sweep()
        kept = {row[0] for row in store.connection.execute("SELECT data FROM contents")}
    assert kept == {b"needed", b"after"}
    past.rewinds(message)
    assert (past.workspace / "a").read_text() == "needed"


def test_a_look_waits_for_a_rewind_of_another_process(past: Past, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workspace_lock, "HISTORY_LOCK_S", 0.05)
    past.says()
    past.agent(lambda: None)
    folder = past.history._shadow.folder()  # pyright: ignore[reportPrivateUsage]
    with workspace_lock.lock_workspace(folder):
        watched = past.watch.begin(past.call(), is_command=True)
    assert "Another process has been looking" in watched.notices[0]
