"""Starts the worker of a source of files in a sandbox that shows only these files.

Inside, file n is `/source/n/data.<ending>`: no name from a user is read as a pattern or a URL. The
worker has a new folder for its output and DuckDB's spill, which is removed with it.
"""

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dataagent_core.config.limits.data import (
    DATA_SPILL_BYTES_MAX,
    DATA_WORKER_SPARE_BYTES,
    DATA_WORKER_THREADS_MAX,
)
from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.system_binds import BindMount
from dataagent_core.sandbox.files.locked_folder import LockedFolder
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.port import CommandResult, Process
from dataagent_core.sandbox.processes.completion import run_to_completion
from dataagent_core.tools.code.python_runtime import find_own_runtime
from dataagent_core.tools.data.sources.file_formats import detect_format
from dataagent_core.tools.data.sources.source_spec import DateOrder, DecimalMark, TextEncoding
from dataagent_core.tools.data.sources.workers.plain_process import PlainProcess
from dataagent_core.tools.data.sources.workers.source_files import (
    SourceFile,
    SourceFiles,
    open_source_files,
)
from dataagent_core.tools.data.sources.workers.worker_command import (
    PROGRAMS_FOLDER,
    SANDBOX_PROGRAMS_FOLDER,
    build_program_command,
)

FileEngineKind = Literal["duckdb", "duckdb_file", "sqlite"]
_PROGRAMS: dict[FileEngineKind, str] = {
    "duckdb": "duckdb_program",
    "duckdb_file": "duckdb_program",
    "sqlite": "sqlite_program",
}
# Arrow's own allocator reserves a gigabyte at once, which counts against the memory limit.
WORKER_ENV = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "2"}
_SANDBOX_SOURCE = "/source"
_CONFIG = "source.json"
_SPARE = "text"
_SPILL = "spill"
# Where a database engine may write a file beside those it reads, as SQLite's index of a log.
_BESIDE = "beside"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileWorkerSpec:
    """The files and settings a worker is started with."""

    engine: FileEngineKind
    seen: SourceFiles
    # A folder of ours, on a disk with space for spill.
    scratch: Path
    beneath: Path | None
    sandboxed: bool
    memory_bytes: int
    learned: Mapping[str, Any]
    dates: DateOrder | None = None
    decimals: DecimalMark | None = None
    encoding: TextEncoding | None = None


class FolderProcess:
    """A worker's process with its folder and its sandbox, which end together."""

    def __init__(
        self, process: Process, folder: LockedFolder, sandbox: BwrapSandbox | None
    ) -> None:
        self._process = process
        self._sandbox = sandbox
        self._folder = folder
        self.folder = folder.path
        self.send = process.send
        self.read_line = process.read_line

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.alive

    async def kill(self) -> CommandResult:
        """End it and remove its folder."""
        try:
            return await self._process.kill()
        finally:
            await run_to_completion(remove_worker(self._folder, self._sandbox))


async def start_file_worker(work: FileWorkerSpec) -> FolderProcess:
    """Start a worker; a failure leaves nothing behind."""
    worker_folder = await asyncio.to_thread(make_worker_folder, work.scratch, "worker-")
    folder = worker_folder.path
    try:
        if work.sandboxed:
            return await _start_sandboxed(work, worker_folder)
        await asyncio.to_thread(_link_files, work, folder)
        await asyncio.to_thread(_write_config, work, folder, str(folder / "source"), str(folder))
        command = build_program_command(sys.executable, PROGRAMS_FOLDER, _PROGRAMS[work.engine])
        process = await PlainProcess.start(
            command,
            env={"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": str(folder), **WORKER_ENV},
            memory_bytes=work.memory_bytes + DATA_WORKER_SPARE_BYTES,
            cwd=folder,
        )
        return FolderProcess(process, worker_folder, None)
    except BaseException:
        await run_to_completion(remove_worker(worker_folder, None))
        raise


async def _start_sandboxed(work: FileWorkerSpec, worker_folder: LockedFolder) -> FolderProcess:
    runtime = find_own_runtime()
    folder = worker_folder.path
    await asyncio.to_thread(_write_config, work, folder, _SANDBOX_SOURCE, ".")
    with open_source_files(work.seen.files, work.beneath) as descriptors:
        binds = [
            BindMount(str(file.path), f"{_SANDBOX_SOURCE}/{inner_path}", descriptor)
            for file, inner_path, descriptor in zip(
                work.seen.files, _list_inner_paths(work.seen.files), descriptors, strict=True
            )
        ]
        try:
            sandbox = await BwrapSandbox.open(
                folder,
                limits=_make_limits(work),
                scratch=work.scratch,
                extra_binds=(
                    *runtime.binds,
                    BindMount(str(PROGRAMS_FOLDER), SANDBOX_PROGRAMS_FOLDER),
                    BindMount(str(folder / _BESIDE), _SANDBOX_SOURCE, writable=True),
                    *binds,
                ),
                protected=(),
            )
        except SandboxUnavailableError as error:
            raise SandboxUnavailableError(
                f"Files are read in a sandbox, and there is none: {error}"
            ) from error
        try:
            command = build_program_command(
                runtime.executable, SANDBOX_PROGRAMS_FOLDER, _PROGRAMS[work.engine]
            )
            process = await sandbox.start(command, env={**runtime.env, **WORKER_ENV})
        except BaseException:
            await run_to_completion(sandbox.aclose())
            raise
    return FolderProcess(process, worker_folder, sandbox)


def _make_limits(work: FileWorkerSpec) -> CommandLimits:
    return CommandLimits(
        memory_bytes=work.memory_bytes + DATA_WORKER_SPARE_BYTES,
        file_bytes=DATA_SPILL_BYTES_MAX,
        disk_growth_bytes=DATA_SPILL_BYTES_MAX,
    )


def _list_inner_paths(files: tuple[SourceFile, ...]) -> list[str]:
    """Return the path of each file inside; the side files of a database are beside it."""
    first = files[0].path.name if files else ""
    inner_paths: list[str] = []
    for number, file in enumerate(files):
        known = detect_format(file.path.name)
        if known is not None:
            packed = {"gzip": ".gz", "zstd": ".zst"}.get(known.compression, "")
            inner_paths.append(f"{number}/data.{known.ending}{packed}")
        else:
            inner_paths.append(f"0/data{file.path.name.removeprefix(first)}")
    return inner_paths


def _write_config(work: FileWorkerSpec, folder: Path, source: str, own: str) -> None:
    (folder / _SPARE).mkdir()
    (folder / _SPILL).mkdir()
    (folder / _BESIDE).mkdir()
    config: dict[str, Any] = {
        "files": [
            _describe_file(file, f"{source}/{inner_path}", f"{own}/{_SPARE}/{number}")
            for number, (file, inner_path) in enumerate(
                zip(work.seen.files, _list_inner_paths(work.seen.files), strict=True)
            )
            if work.engine == "duckdb"
        ],
        "database": None if work.engine == "duckdb" else f"{source}/0/data",
        "name": work.seen.files[0].path.name if work.seen.files else "",
        "memory_bytes": work.memory_bytes,
        "threads": min(DATA_WORKER_THREADS_MAX, os.cpu_count() or 1),
        "spill": f"{own}/{_SPILL}",
        "spill_bytes": DATA_SPILL_BYTES_MAX,
        "learned": dict(work.learned),
        "wanted": {
            "dates": work.dates,
            "decimals": work.decimals,
            "encoding": work.encoding,
        },
    }
    (folder / _CONFIG).write_text(json.dumps(config), "utf-8")


def _describe_file(file: SourceFile, inside: str, spare: str) -> dict[str, Any]:
    known = detect_format(file.path.name)
    assert known is not None
    return {
        "path": inside,
        "name": file.path.name.encode("utf-8", "replace").decode(),
        "table": file.table,
        "format": known.format,
        "compression": known.compression,
        "stem": known.stem.encode("utf-8", "replace").decode(),
        "ending": known.ending,
        "spare": f"{spare}.{known.ending}",
    }


def _link_files(work: FileWorkerSpec, folder: Path) -> None:
    for file, inner_path in zip(work.seen.files, _list_inner_paths(work.seen.files), strict=True):
        link = folder / "source" / inner_path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(file.path)


def make_worker_folder(scratch: Path, prefix: str) -> LockedFolder:
    """Make a worker's folder, and remove those of workers whose process was killed."""
    scratch.mkdir(parents=True, exist_ok=True)
    return LockedFolder.make(scratch, prefix)


async def remove_worker(folder: LockedFolder, sandbox: BwrapSandbox | None) -> None:
    """Remove a worker's sandbox and folder."""
    try:
        if sandbox is not None:
            await sandbox.aclose()
    finally:
        await asyncio.to_thread(folder.remove)
