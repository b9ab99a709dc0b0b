"""Rewinds a user's workspace to before a message of their session, and lists changes.

Core decides what is restored (`tools/workspace_history`); this module checks the rights, counts the
workspace, and refuses while a run is active or queued.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config.paths import SHADOWS_NAME, user_home
from dataagent_core.errors import SessionBusyError
from dataagent_core.tools.workspace_history import ChangeReport, RewindResult, WorkspaceHistory
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.run_services import RunServices
from dataagent_server.sessions.session_service import SessionService
from dataagent_server.workspaces.agent_workspace import open_for_agent
from dataagent_server.workspaces.store import WorkspaceStore


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRewinder:
    """Rewinds the files of sessions."""

    home: Path
    database: Database
    audit: AuditTrail
    workspaces: WorkspaceStore
    sessions: SessionService
    runs: RunServices

    async def rewind(
        self, principal: Principal, session_id: str, message_id: str | None
    ) -> RewindResult:
        """Rewind to before a message; without one, undo the last that changed something."""
        found = await self.sessions.get(principal, session_id, "session.change")
        tenant_id = principal.tenant_id
        open_runs = await self.runs.service.runs(tenant_id, session_id, only_open=True, limit=1)
        if open_runs:
            raise SessionBusyError(
                f"run {open_runs[0].run_id} of session {session_id!r} is not over: wait for it, "
                "or cancel it. Then rewind."
            )
        history = await self._open_history(principal, found.session.user_id)
        if message_id is None:
            done = await history.undo(session_id)
        else:
            done = await history.rewind(session_id, message_id)
        self.runs.hub.publish(tenant_id, session_id, done.events)
        detail = {
            "message": done.message_id,
            "restored": len(done.restored),
            "removed": len(done.removed),
            "kept": len(done.kept),
        }
        named = f"session:{session_id}"
        await self.database.write(
            lambda c: self.audit.record(
                c, tenant_id, principal.actor, "session.rewind", named, detail
            )
        )
        return done

    async def changes(
        self, principal: Principal, session_id: str, since: str | None
    ) -> ChangeReport:
        """List what the agent changed in files."""
        found = await self.sessions.get(principal, session_id)
        history = await self._open_history(principal, found.session.user_id)
        return await history.changes(session_id, since)

    async def _open_history(self, principal: Principal, user_id: str) -> WorkspaceHistory:
        tenant_id = principal.tenant_id
        workspace = await open_for_agent(self.workspaces, tenant_id, user_id)
        root = await asyncio.to_thread(workspace.open_root)
        home = user_home(self.home, tenant_id, user_id)
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        return WorkspaceHistory(root, home / SHADOWS_NAME, self.runs.stores_of(tenant_id).log)
