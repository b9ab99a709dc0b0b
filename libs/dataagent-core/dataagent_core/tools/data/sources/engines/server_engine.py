"""The engine for database servers: PostgreSQL, MySQL and MariaDB.

The drivers run in a process of their own (`worker_programs/postgres_program.py`,
`worker_programs/mysql_program.py`).
"""

from dataclasses import replace
from uuid import uuid4

from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.port import Process
from dataagent_core.tools.data.sources.engines.worker_engine import WorkerEngine
from dataagent_core.tools.data.sources.server_url import parse_server_address
from dataagent_core.tools.data.sources.source_spec import SourceKind, SourceSpec
from dataagent_core.tools.data.sources.workers.server_process import start_server_process
from dataagent_core.tools.data.sources.workers.worker_slots import WorkerSlots

PROGRAMS: dict[SourceKind, str] = {"postgres": "postgres_program", "mysql": "mysql_program"}


class ServerEngine(WorkerEngine):
    """`DataEngine` for one database server; the constructor refuses a wrong address."""

    def __init__(self, spec: SourceSpec, slots: WorkerSlots | None = None) -> None:
        if spec.kind not in PROGRAMS:
            raise ValidationError(f"{spec.name!r} is a source of kind {spec.kind}, not a server.")
        super().__init__(spec, slots)
        self._address = parse_server_address(spec.location, dialled=spec.dialled)

    async def start(self) -> Process:
        """Start the program and send it the login."""
        # A token of its own: cancelling the queries of one process must not cancel another's.
        address = replace(self._address, token=f"dataagent-{uuid4().hex}")
        return await start_server_process(PROGRAMS[self.spec.kind], address)
