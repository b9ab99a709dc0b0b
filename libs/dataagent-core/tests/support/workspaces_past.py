"""A workspace with its past: an agent and a person who change it, and messages to go back to."""

import asyncio
import stat
from collections.abc import Callable
from pathlib import Path

from dataagent_core.events import DoneEvent, RunStartedEvent
from dataagent_core.ids import new_id
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.session import EventLog
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.workspace_history import (
    CallWatch,
    ChangeReport,
    RewindResult,
    WorkspaceHistory,
)
from dataagent_core.tools.workspace_history.history_store import CallInfo

# What a path holds: a file's content or a link's target, and the permissions of a file.
State = dict[str, tuple[bytes, int]]


def state_of(workspace: Path) -> State:
    """Read every file and link of a workspace."""
    found: State = {}
    for path in workspace.rglob("*"):
        name = str(path.relative_to(workspace))
        if path.is_symlink():
            found[name] = (b"-> " + bytes(path.readlink()), 0)
        elif path.is_file():
            found[name] = (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
    return found


class Past:
    """One session in one workspace; every method blocks."""

    def __init__(self, folder: Path, *, root: SafeRoot | None = None) -> None:
        self.workspace = folder / "workspace"
        self.workspace.mkdir(parents=True, exist_ok=True)
        self.shadows = folder / "home" / "shadows"
        self.root = root or SafeRoot(self.workspace, links="beneath", closed=[self.shadows.parent])
        self.log: EventLog = Stores.in_memory().log
        self.watch = CallWatch(self.root, self.shadows)
        self.history = WorkspaceHistory(self.root, self.shadows, self.log)
        self.session = "s"
        self._run: str | None = None

    def says(self, session: str = "s") -> str:
        """Let a person say something: ends the run before, begins the next; gives the message."""
        self.rests()
        self.session, self._run = session, new_id()
        started = RunStartedEvent(message_id=f"{self._run}:m0")
        asyncio.run(self.log.append(self.session, self._run, [started]))
        return started.message_id

    def rests(self) -> None:
        """Let the run end."""
        if self._run is not None:
            done = DoneEvent(reason="completed")
            asyncio.run(self.log.append(self.session, self._run, [done]))
            self._run = None

    def agent(self, act: Callable[[], object], *, is_command: bool = True) -> None:
        """Let the agent do something in one call."""
        watched = self.watch.begin(self.call(), is_command=is_command)
        act()
        self.watch.end(watched, None)

    def call(self) -> CallInfo:
        assert self._run is not None
        return CallInfo(self.session, self._run, new_id(), "shell")

    def rewinds(self, message_id: str, session: str = "s") -> RewindResult:
        self.rests()
        return asyncio.run(self.history.rewind(session, message_id))

    def undoes(self, session: str = "s") -> RewindResult:
        self.rests()
        return asyncio.run(self.history.undo(session))

    def changes(self, since: str | None = None, session: str = "s") -> ChangeReport:
        return asyncio.run(self.history.changes(session, since))

    def state(self) -> State:
        return state_of(self.workspace)
