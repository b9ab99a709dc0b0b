"""The SQL of the files of skills: bytes by their digest, and which versions have them.

A blob counts once in the tenant's quota, however many versions have it; it goes with the last of
them. Call all of it after `begin_change`, which lets one change of a tenant at a time work here.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, and_, delete, exists, insert, select

from dataagent_core.skills import SkillFile
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.skills import skill_blob_uses as uses
from dataagent_server.db.tables.skills import skill_blobs as table
from dataagent_server.db.tables.skills import skill_versions as versions
from dataagent_server.db.upsert import insert_ignore
from dataagent_server.workspaces.quota.counter_rows import add_beside_workspaces
from dataagent_server.workspaces.workspace import StorageAmount


def add_blobs(
    connection: Connection, tenant_id: TenantId, blobs: Mapping[str, bytes], now: datetime
) -> None:
    """Keep bytes by their digest, if the tenant has room for those it does not have yet."""
    query = select(table.c.sha256).where(
        table.c.tenant_id == tenant_id, table.c.sha256.in_(list(blobs))
    )
    known = set(connection.execute(query).scalars())
    new = {sha256: content for sha256, content in blobs.items() if sha256 not in known}
    if not new:
        return
    size_bytes = sum(map(len, new.values()))
    add_beside_workspaces(connection, tenant_id, StorageAmount(size_bytes, len(new)))
    for sha256, content in new.items():
        connection.execute(
            insert(table).values(
                tenant_id=tenant_id,
                sha256=sha256,
                size_bytes=len(content),
                content=content,
                created_at=now,
            )
        )


def add_uses(
    connection: Connection,
    tenant_id: TenantId,
    skill_id: str,
    number: int,
    files: Iterable[SkillFile],
) -> None:
    """Note that a version has these files."""
    rows = [
        {"tenant_id": tenant_id, "sha256": sha256, "skill_id": skill_id, "number": number}
        for sha256 in sorted({file.sha256 for file in files})
    ]
    insert_ignore(connection, uses, rows)


def remove_uses(connection: Connection, tenant_id: TenantId, skill_id: str) -> None:
    """Forget the files of versions that are gone."""
    is_there = exists().where(
        and_(
            versions.c.tenant_id == uses.c.tenant_id,
            versions.c.skill_id == uses.c.skill_id,
            versions.c.number == uses.c.number,
        )
    )
    connection.execute(
        delete(uses).where(uses.c.tenant_id == tenant_id, uses.c.skill_id == skill_id, ~is_there)
    )


def remove_unused(connection: Connection, tenant_id: TenantId) -> None:
    """Delete the blobs that no version has, and give their room back."""
    used = exists().where(
        and_(uses.c.tenant_id == table.c.tenant_id, uses.c.sha256 == table.c.sha256)
    )
    query = select(table.c.sha256, table.c.size_bytes).where(table.c.tenant_id == tenant_id, ~used)
    unused = connection.execute(query).all()
    if not unused:
        return
    connection.execute(
        delete(table).where(
            table.c.tenant_id == tenant_id, table.c.sha256.in_([one.sha256 for one in unused])
        )
    )
    freed = StorageAmount(sum(one.size_bytes for one in unused), len(unused))
    add_beside_workspaces(connection, tenant_id, StorageAmount() - freed)


def read_blobs(
    connection: Connection, tenant_id: TenantId, digests: Sequence[str]
) -> dict[str, bytes]:
    """Read bytes by their digest; what is not there is left out."""
    query = select(table.c.sha256, table.c.content).where(
        table.c.tenant_id == tenant_id, table.c.sha256.in_(digests)
    )
    return {row.sha256: bytes(row.content) for row in connection.execute(query)}
