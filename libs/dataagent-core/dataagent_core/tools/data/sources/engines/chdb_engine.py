"""The engine for ClickHouse's data in a folder: chdb in a sandbox that shows only that folder.

It does not query a ClickHouse server on the network.
"""

import asyncio
import importlib.util
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from dataagent_core.config.limits.data import (
    DATA_SPILL_BYTES_MAX,
    DATA_WORKER_SPARE_BYTES,
    QUERY_MEMORY_BYTES_MAX,
)
from dataagent_core.errors import (
    ConfigurationError,
    NotFoundError,
    PathEscapeError,
    ValidationError,
)
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.system_binds import BindMount
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.processes.completion import run_to_completion
from dataagent_core.tools.code.python_runtime import find_own_runtime
from dataagent_core.tools.data.data_model import EngineResult, QueryLimits
from dataagent_core.tools.data.sources.engines.worker_engine import WorkerEngine, run_worker_query
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.sources.workers.file_worker_process import (
    FolderProcess,
    make_worker_folder,
    remove_worker,
)
from dataagent_core.tools.data.sources.workers.output_transfer import take_output
from dataagent_core.tools.data.sources.workers.worker_command import (
    PROGRAMS_FOLDER,
    SANDBOX_PROGRAMS_FOLDER,
    build_program_command,
)
from dataagent_core.tools.data.sources.workers.worker_slots import WorkerSlots


class ChdbEngine(WorkerEngine):
    """`DataEngine` for a folder that ClickHouse or chdb wrote.

    `scratch` holds its worker's folder; the source may not lead out of `beneath`.
    """

    def __init__(
        self,
        spec: SourceSpec,
        *,
        scratch: Path,
        beneath: Path | None = None,
        slots: WorkerSlots | None = None,
    ) -> None:
        if importlib.util.find_spec("chdb") is None:
            raise ConfigurationError(
                "chdb is not installed: pip install 'dataagent-core[clickhouse]'."
            )
        super().__init__(spec, slots, workers_max=1)
        self._folder = locate_chdb_folder(spec.location, beneath)
        self._scratch = scratch
        self._number = 0

    async def query(self, sql: str, into: Path, limits: QueryLimits) -> EngineResult:
        """Run checked SQL; its rows are in `into` when this returns."""
        async with self._workers.member(limits.timeout_s) as (worker, left_s):
            self._number += 1
            out = f"out-{self._number}.parquet"
            ran = await run_worker_query(
                worker, sql, out, replace(limits, timeout_s=left_s), left_s
            )
            process = worker.process
            assert isinstance(process, FolderProcess)
            size = await asyncio.to_thread(
                take_output, process.folder, out, into, 2 * limits.bytes_max
            )
        return replace(ran, bytes=size)

    async def start(self) -> FolderProcess:
        """Open a sandbox that shows the folder read-only, without a network."""
        worker_folder = await asyncio.to_thread(make_worker_folder, self._scratch, "chdb-")
        sandbox: BwrapSandbox | None = None
        runtime = find_own_runtime()
        binds = (
            BindMount(str(PROGRAMS_FOLDER), SANDBOX_PROGRAMS_FOLDER),
            BindMount(str(self._folder), "/source"),
        )
        try:
            sandbox = await BwrapSandbox.open(
                worker_folder.path,
                limits=CommandLimits(
                    memory_bytes=QUERY_MEMORY_BYTES_MAX + DATA_WORKER_SPARE_BYTES,
                    file_bytes=DATA_SPILL_BYTES_MAX,
                    disk_growth_bytes=DATA_SPILL_BYTES_MAX,
                ),
                scratch=self._scratch,
                extra_binds=(*runtime.binds, *binds),
                protected=(),
            )
            command = build_program_command(
                runtime.executable, SANDBOX_PROGRAMS_FOLDER, "chdb_program"
            )
            process = await sandbox.start(command, env=runtime.env)
        except BaseException:
            await run_to_completion(remove_worker(worker_folder, sandbox))
            raise
        return FolderProcess(process, worker_folder, sandbox)


def locate_chdb_folder(location: str, beneath: Path | None) -> Path:
    """Find the folder of a `chdb:///path` or a path; an error says why it is none."""
    parts = urlsplit(location)
    if parts.scheme not in {"", "chdb"} or parts.netloc:
        raise ValidationError(
            "A ClickHouse server on the network cannot be asked yet, only ClickHouse's data in a "
            "folder: chdb:///path/to/folder."
        )
    folder = Path(unquote(parts.path)).resolve()
    if beneath is not None and not folder.is_relative_to(beneath.resolve()):
        raise PathEscapeError(f"{location!r} leads out of the workspace.")
    if not (folder / "metadata").is_dir():
        raise NotFoundError(f"{str(folder)!r} holds no data of ClickHouse (no folder metadata).")
    return folder
