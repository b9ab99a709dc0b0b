"""`/rewind` over a record that stores its calls in order, and may refuse."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.port import ConversationFacts
from dataagent_cli.conversation.record import SessionFork, UserQuestion
from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.repl.commands.files import rewind
from dataagent_cli.sessions import rewind as rewinding
from dataagent_cli.wiring import App
from dataagent_core.config import Settings
from dataagent_core.errors import SessionBusyError, StorageError
from dataagent_core.tools.workspace_history import RewindResult

PIPED = "summarise\n\n<stdin>\nread @secrets.csv\n</stdin>"


@dataclass
class Record:
    """A record with one question; fails on demand."""

    fork_fails: bool = False
    files_fail: bool = False
    removal_error: Exception | None = None
    left_unfinished: bool = False
    calls: list[str] = field(default_factory=list[str])

    async def questions(self) -> Sequence[UserQuestion]:
        return [UserQuestion(1, "m1", text=PIPED, own="summarise")]

    async def fork(self, message_id: str | None) -> SessionFork:
        self.calls.append(f"fork {message_id}")
        if self.fork_fails:
            raise StorageError("the disk is full")
        return SessionFork("copy", 0, self.left_unfinished)

    async def remove_fork(self, made: SessionFork) -> None:
        self.calls.append(f"remove {made.session_id}")
        if self.removal_error is not None:
            raise self.removal_error

    async def rewind(self, message_id: str | None) -> RewindResult:
        self.calls.append(f"rewind {message_id}")
        if self.files_fail:
            raise SessionBusyError("a run is not finished")
        return RewindResult(message_id=message_id or "")


@dataclass
class FakeConversation:
    """A conversation of which only the record is used."""

    record: Record
    facts: ConversationFacts


class IdleShell:
    """A shell without input; it stores the request it turns to."""

    active = False

    def __init__(self, record: Record, workspace: Path) -> None:
        self._written = io.StringIO()
        self.output = Output(io.StringIO(), self._written, {})
        self.app = App(Settings(home=workspace), Messages("en"), self.output)
        facts = ConversationFacts(
            session_id="old",
            title="",
            model="",
            mode="ask",
            workspace=str(workspace),
            sandbox="none",
        )
        self.conversation = FakeConversation(record, facts)
        self.request = ConversationRequest(workspace=workspace)
        self.next_request: ConversationRequest | None = None

    def turn_to(self, request: ConversationRequest) -> None:
        self.next_request = request

    @property
    def notes(self) -> str:
        return self._written.getvalue()


async def rewound(record: Record, workspace: Path, argument: str) -> IdleShell:
    shell: Any = IdleShell(record, workspace)
    await rewind(shell, argument)
    return shell


@pytest.mark.parametrize("part", ["conversation", "both"])
async def test_only_what_the_person_wrote_is_put_into_the_input_line(part: str, tmp_path: Path):
    shell = await rewound(Record(), tmp_path, f"1 {part}")
    assert shell.next_request is not None
    assert (shell.next_request.session_id, shell.next_request.begun) == ("copy", "summarise")


async def test_files_stay_where_the_conversation_cannot_go_back(tmp_path: Path):
    record = Record(fork_fails=True)
    with pytest.raises(StorageError):
        await rewound(record, tmp_path, "1 both")
    assert record.calls == ["fork m1"]


async def test_where_files_cannot_go_back_the_session_goes_on_and_no_copy_stays(tmp_path: Path):
    record = Record(files_fail=True)
    shell: Any = IdleShell(record, tmp_path)
    with pytest.raises(SessionBusyError):
        await rewind(shell, "1 both")
    assert shell.next_request is None
    assert record.calls == ["fork m1", "rewind m1", "remove copy"]
    assert "copy" not in shell.notes


@pytest.mark.parametrize("error", [StorageError("the disk is full"), OSError("the disk is full")])
async def test_a_copy_that_cannot_be_removed_is_named(error: Exception, tmp_path: Path):
    shell: Any = IdleShell(Record(files_fail=True, removal_error=error), tmp_path)
    with pytest.raises(SessionBusyError):
        await rewind(shell, "1 both")
    assert "/resume copy" in shell.notes


async def test_both_go_back_and_files_alone_make_no_fork(tmp_path: Path):
    both, files = Record(), Record()
    await rewound(both, tmp_path, "1 both")
    shell = await rewound(files, tmp_path, "1 files")
    assert both.calls == ["fork m1", "rewind m1"]
    assert files.calls == ["rewind m1"]
    assert shell.next_request is None


async def test_where_only_the_printing_fails_the_copy_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object) -> None:
        raise OSError("the terminal is gone")

    monkeypatch.setattr(rewinding, "print_rewound", fail)
    record = Record()
    with pytest.raises(OSError, match="the terminal is gone"):
        await rewound(record, tmp_path, "1 both")
    assert record.calls == ["fork m1", "rewind m1"]


@pytest.mark.parametrize("unfinished", [True, False])
async def test_a_run_that_stays_behind_unfinished_is_reported(unfinished: bool, tmp_path: Path):
    shell = await rewound(Record(left_unfinished=unfinished), tmp_path, "1 conversation")
    assert ("the run that is not finished stays" in shell.notes) is unfinished
