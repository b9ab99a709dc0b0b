"""The SQL of tokens, and the lock that lets one process at a time renew them."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import ColumnElement, Connection, and_, delete, or_, select, update

from dataagent_core.mcp.owner import Owner
from dataagent_server.db.tables.mcp import mcp_tokens as table
from dataagent_server.db.upsert import insert_ignore, upsert

Column = Literal["tokens", "client"]
_NOBODY: Final = None


@dataclass(frozen=True, slots=True)
class TokenKey:
    """The tokens of one user at one resource."""

    owner: Owner
    resource: str

    @property
    def resource_hash(self) -> str:
        return hashlib.sha256(self.resource.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def key(self) -> dict[str, str]:
        """The columns of the primary key."""
        return {
            "tenant_id": self.owner.tenant_id,
            "user_id": self.owner.user_id,
            "resource_hash": self.resource_hash,
        }


def read(connection: Connection, held: TokenKey, column: Column) -> str | None:
    """Read a ciphertext."""
    return connection.execute(select(table.c[column]).where(_is(held))).scalar()


def write(
    connection: Connection, held: TokenKey, column: Column, sealed: str, now: datetime
) -> None:
    """Store a ciphertext; it replaces the previous one."""
    values = {**held.key, "resource": held.resource, column: sealed, "updated_at": now}
    upsert(connection, table, values, update=[column, "updated_at"])


def clear(connection: Connection, held: TokenKey, column: Column) -> None:
    """Delete a ciphertext."""
    connection.execute(update(table).where(_is(held)).values({column: None}))
    _remove_empty(connection, held)


def take_lock(
    connection: Connection, held: TokenKey, holder: str, now: datetime, until: datetime
) -> bool:
    """Take the lock if it is free or expired; or extend it."""
    insert_ignore(connection, table, {**held.key, "resource": held.resource, "updated_at": now})
    free = or_(
        table.c.lock_owner.is_(None), table.c.lock_owner == holder, table.c.locked_until < now
    )
    taken = connection.execute(
        update(table).where(_is(held), free).values(lock_owner=holder, locked_until=until)
    )
    return taken.rowcount == 1


def is_locked(connection: Connection, held: TokenKey, now: datetime) -> bool:
    """Return whether the lock is held, without a write."""
    query = select(table.c.locked_until).where(_is(held), table.c.lock_owner.is_not(None))
    until = connection.execute(query).scalar()
    return until is not None and until >= now


def let_go(connection: Connection, held: TokenKey, holder: str) -> None:
    """Release the lock, if this holder still has it."""
    connection.execute(
        update(table)
        .where(_is(held), table.c.lock_owner == holder)
        .values(lock_owner=_NOBODY, locked_until=_NOBODY)
    )
    _remove_empty(connection, held)


def forget(connection: Connection, held: TokenKey) -> None:
    """Delete everything a user holds at a resource."""
    connection.execute(delete(table).where(_is(held)))


def _remove_empty(connection: Connection, held: TokenKey) -> None:
    nothing = (table.c.tokens.is_(None), table.c.client.is_(None), table.c.lock_owner.is_(None))
    connection.execute(delete(table).where(_is(held), *nothing))


def _is(held: TokenKey) -> ColumnElement[bool]:
    return and_(*(table.c[name] == value for name, value in held.key.items()))
