"""Where the memories of a person count: with an assistant, in a project, everywhere. Pure."""

import hashlib
from pathlib import Path
from typing import Final

from dataagent_core.memory.memory import MemoryScope, ScopeKind

_PROJECT_CHARS: Final = 32


def list_person_scopes(
    tenant_id: str, user_id: str, assistant_id: str, project_id: str = ""
) -> dict[ScopeKind, MemoryScope]:
    """List the scopes that a run of an assistant reads, the nearest first."""
    scopes: dict[ScopeKind, MemoryScope] = {
        "user": MemoryScope.of_user(tenant_id, user_id, assistant_id)
    }
    if project_id:
        scopes["project"] = MemoryScope.of_project(tenant_id, user_id, assistant_id, project_id)
    scopes["org"] = MemoryScope.of_organisation(tenant_id, user_id)
    return scopes


def make_project_id(workspace: Path) -> str:
    """Name the project of a folder: a digest, because a path may hold a person's name."""
    real = str(workspace.resolve())
    return hashlib.sha256(real.encode("utf-8", "surrogateescape")).hexdigest()[:_PROJECT_CHARS]
