"""Background runs on the server: rows of the run queue, each in a session of its own.

Any process may work on one, and one whose process ends is leased by another, as every run. Who
starts it is the agent of a run, so the rights are those of the run: its user, its project, its
assistant. The capacity of user and tenant is checked as for a message.

The first run of a session says whether it is a task: nobody can change the context of its message.
The metadata of the session says it to clients, and its user may change it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.runs import BackgroundTask, NewBackgroundRun
from dataagent_core.session.state import Session
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.runs import run_rows
from dataagent_server.runs.agents.agent_pool import AgentSubject
from dataagent_server.runs.run_row import NewRun, RunRow
from dataagent_server.runs.service import RunService
from dataagent_server.stores.sessions import insert_session

# The service is made after the agents' builder, which needs it only when an agent works.
FindRunService = Callable[[], RunService]


@dataclass(frozen=True, slots=True)
class QueuedBackgroundRuns:
    """The background runs of one user's agent. Implements core's `BackgroundRuns`."""

    database: Database
    find_service: FindRunService
    tenant_id: TenantId
    user_id: str
    project_id: str | None
    assistant_id: str
    model: str | None

    @classmethod
    def of(
        cls, database: Database, find_service: FindRunService, run: AgentSubject
    ) -> "QueuedBackgroundRuns":
        """Make those of the agent of a run."""
        return cls(
            database,
            find_service,
            run.tenant_id,
            run.user_id,
            run.project_id,
            run.assistant_id,
            run.model,
        )

    async def start(self, new: NewBackgroundRun) -> None:
        """Write the session and its run in one transaction, unless they are there."""
        session = Session(
            new.session_id, self.user_id, self.assistant_id, metadata=new.task.to_metadata()
        )
        run = NewRun(
            session_id=new.session_id,
            user_id=self.user_id,
            assistant_id=self.assistant_id,
            project_id=self.project_id,
            text=new.description,
            context=new.context(),
            model=self.model,
        )

        def also(connection: Connection, _run: RunRow) -> None:
            insert_session(connection, self.tenant_id, session, self.project_id, new.title)

        try:
            await self.find_service().execute_for(self.tenant_id, run, also)
        except ConflictError:
            if await self.find(new.session_id) != new.task:
                raise

    async def find(self, session_id: str) -> BackgroundTask | None:
        """Return the task of a session of this user."""
        first = await self._find_first_run(session_id)
        return None if first is None else BackgroundTask.read(first.context)

    async def continue_stopped(self, session_id: str) -> bool:  # noqa: ARG002 (core's signature)
        """Do nothing: workers continue runs whose process has ended."""
        return False

    async def cancel(self, session_id: str) -> None:
        """Cancel the run of a task; what its user says in the session later goes on."""
        first = await self._find_first_run(session_id)
        if first is None or first.over:
            raise NotFoundError(f"{session_id} is over; nothing was cancelled.")
        await self.find_service().cancel_for(self.tenant_id, first.run_id)

    async def _find_first_run(self, session_id: str) -> RunRow | None:
        def read(connection: Connection) -> RunRow | None:
            first = run_rows.find_first_run(connection, self.tenant_id, session_id)
            return first if first is not None and first.user_id == self.user_id else None

        return await self.database.read(read)
