"""The files of a report's run, in its owner's folder, out of reach of agents.

What a user sees is not masked; in a workspace an agent could read it.
"""

import asyncio
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config.paths import user_home
from dataagent_core.ids import checked_id
from dataagent_server.common.ids import TenantId
from dataagent_server.data.reports.report_records import RunFile


@dataclass(frozen=True, slots=True)
class RunFiles:
    """Files by their number; their names are only in the row."""

    home: Path

    async def put(
        self, tenant_id: TenantId, owner_id: str, run_id: str, files: Mapping[str, bytes]
    ) -> tuple[RunFile, ...]:
        """Write them."""
        folder = self._folder(tenant_id, owner_id, run_id)
        await asyncio.to_thread(_write, folder, list(files.values()))
        return tuple(
            RunFile(path.removeprefix("/reports/"), len(data)) for path, data in files.items()
        )

    def path(self, tenant_id: TenantId, owner_id: str, run_id: str, number: int) -> Path:
        """Name one."""
        return self._folder(tenant_id, owner_id, run_id) / str(number)

    async def drop(self, tenant_id: TenantId, owner_id: str, run_id: str) -> None:
        """Remove them all."""
        folder = self._folder(tenant_id, owner_id, run_id)
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    def _folder(self, tenant_id: TenantId, owner_id: str, run_id: str) -> Path:
        own = user_home(self.home, tenant_id, owner_id)
        return own / "reports" / checked_id(run_id, "run")


def _write(folder: Path, contents: list[bytes]) -> None:
    folder.mkdir(mode=0o700, parents=True)
    for number, data in enumerate(contents):
        file = folder / str(number)
        file.write_bytes(data)
        file.chmod(0o600)
