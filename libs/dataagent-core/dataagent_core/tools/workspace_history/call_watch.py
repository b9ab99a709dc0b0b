"""Watches every call that may touch files itself: a look before, a look after.

The looks serve two: `call_recorder.py` writes down what changed, so that it can be taken back, and
a command's changes are reported (`command_changes`). A call that is cancelled or fails is looked at
too: what it did until then is still the agent's.

Nothing here fails a call: what went wrong is said in its report instead.
"""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import RLock

from dataagent_core.permissions.tool_groups import BACKGROUND_TOOLS, TASK_TOOLS
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.session import Run
from dataagent_core.tools.command_changes import (
    CommandReport,
    CommandWatch,
    RunningCommand,
    runs_programs,
)
from dataagent_core.tools.command_changes.change_records import describe_failure
from dataagent_core.tools.command_changes.workspace_snapshot import WorkspaceSnapshot
from dataagent_core.tools.file_tracker import FileOpRecord
from dataagent_core.tools.pipeline.agent_call import AgentCall
from dataagent_core.tools.registry import RegisteredTool
from dataagent_core.tools.workspace_history.call_recorder import CallRecorder
from dataagent_core.tools.workspace_history.history_store import CallInfo
from dataagent_core.tools.workspace_history.workspace_lock import lock_workspace

# Hands work on, or changes the agent's plan only.
_NO_FILES = frozenset({"write_todos"}) | TASK_TOOLS | BACKGROUND_TOOLS


@dataclass(slots=True)
class WatchedCall:
    """A call that runs; `call_id` is its number in the record, if there is one."""

    session_id: str
    call_id: int | None = None
    command: RunningCommand | None = None
    notices: tuple[str, ...] = ()
    is_over: bool = False


@dataclass(eq=False)
class CallWatch:
    """The calls of one workspace; `shadows` is a folder of ours, outside of it."""

    root: SafeRoot
    shadows: Path
    _lock: RLock = field(default_factory=RLock, init=False)

    @cached_property
    def _commands(self) -> CommandWatch:
        return CommandWatch(self.root, self.shadows)

    @cached_property
    def _recorder(self) -> CallRecorder:
        return CallRecorder(self._commands.shadow)

    @asynccontextmanager
    async def around(
        self, entry: RegisteredTool, call: AgentCall, run: Run
    ) -> AsyncGenerator[WatchedCall | None]:
        """Take a snapshot before a call, and look again however it ends; `None` if it is pure."""
        # A sub-agent's calls, and those a composition is made of, pass through the pipeline one by
        # one. What a person does in between is theirs, so the call around them is not watched.
        acts_itself = entry.composition is None and entry.tool.name not in _NO_FILES
        if not acts_itself or entry.effect == "pure":
            yield None
            return
        info = CallInfo(run.session_id, run.run_id, call.key, call.name)
        watched = await asyncio.to_thread(self.begin, info, is_command=runs_programs(entry.tool))
        try:
            yield watched
        finally:
            if not watched.is_over:
                # Shielded: whoever cancels the call again does not undo the look.
                await asyncio.shield(asyncio.to_thread(self.end, watched, None))

    async def ended(self, watched: WatchedCall, record: FileOpRecord | None) -> CommandReport:
        """Look again after a call, and say what a command changed."""
        return await asyncio.to_thread(self.end, watched, record)

    def begin(self, call: CallInfo, *, is_command: bool) -> WatchedCall:
        """Take the snapshot before a call. It blocks."""
        watched = WatchedCall(call.session_id)
        with self._lock:
            try:
                with self._looking() as now:
                    watched.call_id = self._recorder.begin(call, now)
                    if is_command:
                        watched.command = self._commands.begin(call.tool_name, call.session_id, now)
            except Exception as error:  # noqa: BLE001 (the call must run all the same)
                watched.notices = (describe_failure(error),)
        return watched

    def end(self, watched: WatchedCall, record: FileOpRecord | None) -> CommandReport:
        """Take the look after a call. It blocks."""
        with self._lock:
            watched.is_over = True
            if watched.call_id is None:
                return CommandReport(notices=watched.notices)
            try:
                return self._ended(watched, watched.call_id, record)
            except Exception as error:  # noqa: BLE001 (the call has run: its result stands)
                self._recorder.forget(watched.call_id)
                return CommandReport(notices=(describe_failure(error),))

    def _ended(
        self, watched: WatchedCall, call_id: int, record: FileOpRecord | None
    ) -> CommandReport:
        with self._looking() as now:
            self._recorder.end(call_id, now)
            if record is not None:
                # Its own tool tells of it; a command beside it need not.
                self._commands.settle(watched.session_id, record.display_path, now)
            if watched.command is None:
                return CommandReport()
            return self._commands.end(watched.command, now)

    @contextmanager
    def _looking(self) -> Generator[WorkspaceSnapshot]:
        shadow = self._commands.shadow
        with lock_workspace(shadow.folder()):
            yield shadow.look()
