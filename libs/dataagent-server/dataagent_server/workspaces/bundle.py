"""Everything about workspaces, put together for `wiring.py`."""

from dataclasses import dataclass

from dataagent_core.sandbox.workspaces.directories import WorkspaceDirectories
from dataagent_server.audit import AuditTrail
from dataagent_server.db.database import Database
from dataagent_server.settings import ServerSettings
from dataagent_server.workspaces.files import WorkspaceFiles
from dataagent_server.workspaces.model import Amount
from dataagent_server.workspaces.owners import require_passable, usable_range
from dataagent_server.workspaces.service import InUse, WorkspaceService
from dataagent_server.workspaces.sharing import WorkspaceSharing
from dataagent_server.workspaces.store import WorkspaceStore


@dataclass(frozen=True, slots=True)
class Workspaces:
    """The parts, over one store."""

    store: WorkspaceStore
    service: WorkspaceService
    files: WorkspaceFiles
    sharing: WorkspaceSharing


def make_workspaces(
    settings: ServerSettings,
    database: Database,
    audit: AuditTrail,
    in_use: InUse | None = None,
) -> Workspaces:
    """Make them; nothing is opened. `in_use` says whether a run works in a workspace just now."""
    uids = usable_range(settings.workspace_uid_first, settings.workspace_uid_count)
    if uids is not None:
        for place in (settings.workspaces, settings.home / "scratch"):
            require_passable(place)
    store = WorkspaceStore(
        database,
        WorkspaceDirectories(settings.workspaces, reachable=uids is not None),
        Amount(settings.workspace_default_max_size_bytes, settings.workspace_default_max_files),
        audit,
        uids,
        settings.max_upload_bytes,
    )
    service = WorkspaceService(store) if in_use is None else WorkspaceService(store, in_use)
    return Workspaces(store, service, WorkspaceFiles(store), WorkspaceSharing(store))
