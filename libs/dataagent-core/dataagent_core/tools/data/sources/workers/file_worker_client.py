"""One worker of a source of files; it restarts when the files, or what was learned, changed.

The worker reads untrusted files, so it is not trusted: its output is copied from its folder only
as a plain file.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from dataagent_core.tools.data.sources.workers.file_worker_process import FolderProcess
from dataagent_core.tools.data.sources.workers.output_transfer import take_output
from dataagent_core.tools.data.sources.workers.source_files import SourceFiles
from dataagent_core.tools.data.sources.workers.worker import Worker

# Starts a worker with a memory limit; returns it with its files.
StartFileWorker = Callable[[int], Awaitable[tuple[FolderProcess, SourceFiles]]]


class FileWorkerClient:
    """A worker, and the files it was started for."""

    def __init__(self, start: StartFileWorker, name: str, memory_bytes: int) -> None:
        self._start = start
        self._memory_bytes = memory_bytes
        self._started_for: tuple[Any, ...] | None = None
        self._learned: Mapping[str, Any] = {}
        self._process: FolderProcess | None = None
        self._worker = Worker(self._start_process, name)

    async def ask(
        self,
        operation: str,
        arguments: Mapping[str, Any],
        timeout_s: float,
        *,
        seen: SourceFiles,
        learned: Mapping[str, Any],
        memory_bytes: int | None = None,
    ) -> Any:
        """Send a request to a worker with these files and lessons; restart it if needed."""
        self._memory_bytes = memory_bytes or self._memory_bytes
        wanted = (seen.identity, self._memory_bytes)
        if self._worker.alive and (wanted != self._started_for or learned != self._learned):
            await self._worker.restart()
        if not self._worker.alive:
            self._learned = dict(learned)
        answer = await self._worker.ask(operation, arguments, timeout_s)
        if isinstance(answer, dict) and "learned" in answer:
            self._learned = answer["learned"]
        return answer

    async def move_output(self, name: str, into: Path, bytes_max: int) -> int:
        """Move a file out of its folder; return its size."""
        assert self._process is not None
        return await asyncio.to_thread(take_output, self._process.folder, name, into, bytes_max)

    @property
    def alive(self) -> bool:
        """Whether its process runs."""
        return self._worker.alive

    async def restart(self) -> None:
        """End its process; the next request starts another."""
        await self._worker.restart()

    async def aclose(self) -> None:
        """End its process for good."""
        await self._worker.aclose()

    async def _start_process(self) -> FolderProcess:
        self._process, seen = await self._start(self._memory_bytes)
        self._started_for = (seen.identity, self._memory_bytes)
        return self._process
