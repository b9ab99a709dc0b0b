"""Idempotency keys in the database, claimed in the transaction that executes the request.

So either both happened or neither, whatever crashes in between.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import orjson
from sqlalchemy import ColumnElement, Connection, delete, select, update

from dataagent_server.common.errors import InvalidRequestError
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.runs import idempotency_keys as keys
from dataagent_server.db.upsert import insert_ignore
from dataagent_server.runs.idempotency.key import IdempotencyKey, RepeatedError

# How long a repetition is recognised.
KEY_LIFE_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class EarlierRequest:
    """The result of the first request: its run, and its answer once it was given."""

    run_id: str | None
    answer: dict[str, Any] | None


def find_known(connection: Connection, key: IdempotencyKey) -> EarlierRequest | None:
    """Find an earlier request; the same key for a different request is refused."""
    youngest = database_now(connection) - timedelta(seconds=KEY_LIFE_S)
    columns = (keys.c.request_hash, keys.c.run_id, keys.c.response)
    query = select(*columns).where(*_is_key(key), keys.c.created_at >= youngest)
    row = connection.execute(query).first()
    if row is None:
        return None
    if row.request_hash != key.request_hash:
        raise InvalidRequestError(
            f"The Idempotency-Key {key.key[:80]!r} was used for another request. Use a new one "
            "for every request, and the old one only to repeat it."
        )
    return EarlierRequest(row.run_id, orjson.loads(row.response) if row.response else None)


def claim(
    connection: Connection,
    key: IdempotencyKey,
    *,
    run_id: str | None = None,
    answer: dict[str, Any] | None = None,
) -> None:
    """Claim the key inside its transaction, or undo that transaction."""
    now = database_now(connection)
    oldest = now - timedelta(seconds=KEY_LIFE_S)
    mine = (keys.c.tenant_id == key.tenant_id, keys.c.user_id == key.user_id)
    connection.execute(delete(keys).where(*mine, keys.c.created_at < oldest))
    taken = insert_ignore(
        connection,
        keys,
        {
            "tenant_id": key.tenant_id,
            "user_id": key.user_id,
            "idempotency_key": key.key,
            "request_hash": key.request_hash,
            "run_id": run_id,
            "response": orjson.dumps(answer).decode() if answer is not None else None,
            "created_at": now,
        },
    )
    if not taken:
        raise RepeatedError(key.key)


def settle(connection: Connection, key: IdempotencyKey, answer: dict[str, Any]) -> None:
    """Store the answer; the first one stays."""
    connection.execute(
        update(keys)
        .where(*_is_key(key), keys.c.response.is_(None))
        .values(response=orjson.dumps(answer).decode())
    )


def _is_key(key: IdempotencyKey) -> tuple[ColumnElement[bool], ...]:
    return (
        keys.c.tenant_id == key.tenant_id,
        keys.c.user_id == key.user_id,
        keys.c.idempotency_key == key.key,
    )
