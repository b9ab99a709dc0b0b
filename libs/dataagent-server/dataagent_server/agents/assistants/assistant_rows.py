"""The assistants' SQL."""

from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from dataagent_core.errors import ConflictError
from dataagent_server.agents.assistants.assistant import Assistant
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest, apply
from dataagent_server.db.tables.assistants import assistants

_FIELDS = tuple(field.name for field in fields(Assistant))
_COLUMNS = tuple(assistants.c[name] for name in _FIELDS)


def add_assistant(connection: Connection, tenant_id: TenantId, assistant: Assistant) -> None:
    """Insert an assistant; an id that is taken is a conflict."""
    values = {name: getattr(assistant, name) for name in _FIELDS}
    try:
        connection.execute(insert(assistants).values(tenant_id=tenant_id, **values))
    except IntegrityError as error:
        raise ConflictError(f"There is an agent {assistant.assistant_id!r} already.") from error


def find_assistant(
    connection: Connection, tenant_id: TenantId, assistant_id: str, *, locked: bool = False
) -> Assistant | None:
    """Find an assistant of this tenant."""
    query = select(*_COLUMNS).where(
        assistants.c.tenant_id == tenant_id, assistants.c.assistant_id == assistant_id
    )
    row = connection.execute(query.with_for_update() if locked else query).mappings().first()
    return None if row is None else Assistant(**row)


def list_assistants(
    connection: Connection, tenant_id: TenantId, page_request: PageRequest
) -> list[Assistant]:
    """List the tenant's assistants, oldest first."""
    query = select(*_COLUMNS).where(assistants.c.tenant_id == tenant_id)
    paged = apply(query, page_request, assistants.c.created_at, assistants.c.assistant_id)
    return [Assistant(**row) for row in connection.execute(paged).mappings()]


def count_assistants(connection: Connection, tenant_id: TenantId) -> int:
    """Count the tenant's assistants."""
    query = select(func.count()).where(assistants.c.tenant_id == tenant_id)
    return connection.execute(query).scalar_one()


def change_assistant(
    connection: Connection, tenant_id: TenantId, assistant_id: str, values: dict[str, Any]
) -> None:
    """Write what changed."""
    connection.execute(
        update(assistants)
        .where(assistants.c.tenant_id == tenant_id, assistants.c.assistant_id == assistant_id)
        .values(**values)
    )


def remove_assistant(connection: Connection, tenant_id: TenantId, assistant_id: str) -> None:
    """Delete an assistant."""
    connection.execute(
        delete(assistants).where(
            assistants.c.tenant_id == tenant_id, assistants.c.assistant_id == assistant_id
        )
    )
