"""Sessions in Redis (S0 43, S1); needs the extra `redis`.

One hash per session, and per tenant sorted sets by last use: of all sessions, of each person's and
of each assistant's. Each change is one script, so that no index ever names a session that is not
there. Members are ids; equal moments are put into order when read.
"""

import json
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from urllib.parse import quote

from redis.asyncio import Redis
from redis.exceptions import RedisError

from dataagent_core.errors import ConflictError, NotFoundError, StorageError
from dataagent_core.ids import checked_id, new_id
from dataagent_core.session.state import Session, now
from dataagent_core.session.store import SessionStore
from dataagent_core.session.stores.encoding import json_text

# KEYS: the session, the tenant's index; ARGV: id, score, row, index prefixes, mode.
_SAVE = """
local old = redis.call('HMGET', KEYS[1], 'user', 'assistant')
if ARGV[1] == 'create' and old[1] then return 0 end
if ARGV[1] == 'update' and not old[1] then return 0 end
if old[1] then
  redis.call('ZREM', ARGV[6] .. old[1], ARGV[2])
  redis.call('ZREM', ARGV[7] .. old[2], ARGV[2])
end
redis.call('HSET', KEYS[1], 'row', ARGV[4], 'user', ARGV[5], 'assistant', ARGV[8])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
redis.call('ZADD', ARGV[6] .. ARGV[5], ARGV[3], ARGV[2])
redis.call('ZADD', ARGV[7] .. ARGV[8], ARGV[3], ARGV[2])
return 1
"""
_DELETE = """
local old = redis.call('HMGET', KEYS[1], 'user', 'assistant')
if not old[1] then return 0 end
redis.call('ZREM', ARGV[2] .. old[1], ARGV[1])
redis.call('ZREM', ARGV[3] .. old[2], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[1])
return 1
"""


class RedisSessionStore(SessionStore):
    """The sessions of one tenant."""

    def __init__(self, redis: Redis, tenant_id: str) -> None:
        self._redis = redis
        # Quoted, so that no tenant's name can reach into another's keys. The braces keep a
        # tenant on one node of a cluster.
        self._prefix = f"dataagent:{{{quote(tenant_id, safe='')}}}:sessions:"
        self._save = redis.register_script(_SAVE)
        self._delete = redis.register_script(_DELETE)

    async def create(
        self, user_id: str, assistant_id: str, *, session_id: str | None = None
    ) -> Session:
        chosen = checked_id(session_id, "session id") if session_id else new_id()
        session = Session(session_id=chosen, user_id=user_id, assistant_id=assistant_id)
        if not await self._write("create", session):
            raise ConflictError(f"session {chosen!r} already exists.")
        return session

    async def get(self, session_id: str) -> Session | None:
        row = await _call_redis(self._redis.hget(self._key(session_id), "row"))
        return None if row is None else _decode_session(row)

    async def update(self, session: Session) -> None:
        if not await self._write("update", session):
            raise NotFoundError(f"there is no session {session.session_id!r}.")

    async def delete(self, session_id: str) -> None:
        prefixes = (self._prefix + "user:", self._prefix + "assistant:")
        await _call_redis(
            self._delete(
                keys=[self._key(session_id), self._prefix + "all"], args=[session_id, *prefixes]
            )
        )

    async def list_by_user(self, user_id: str) -> list[Session]:
        return await self._list_index(f"user:{user_id}")

    async def list_by_assistant(self, assistant_id: str) -> list[Session]:
        return await self._list_index(f"assistant:{assistant_id}")

    async def list_expired(self, timeout_s: float) -> list[Session]:
        deadline = now() - timedelta(seconds=timeout_s)
        return await self._list_index("all", _microseconds(deadline))

    async def _write(self, mode: str, session: Session) -> bool:
        saved = self._save(
            keys=[self._key(session.session_id), self._prefix + "all"],
            args=[
                mode,
                session.session_id,
                _microseconds(session.last_active),
                _encode_session(session),
                session.user_id,
                self._prefix + "user:",
                self._prefix + "assistant:",
                session.assistant_id,
            ],
        )
        return bool(await _call_redis(saved))

    async def _list_index(self, index: str, newest: int | str = "+inf") -> list[Session]:
        ids = await _call_redis(self._redis.zrangebyscore(self._prefix + index, "-inf", newest))
        async with self._redis.pipeline(transaction=False) as pipe:
            for name in ids:
                pipe.hget(self._key(name.decode()), "row")
            rows = await _call_redis(pipe.execute()) if ids else []
        found = [_decode_session(row) for row in rows if row is not None]
        return sorted(found, key=lambda s: (-_microseconds(s.last_active), s.session_id))

    def _key(self, session_id: str) -> str:
        return f"{self._prefix}one:{session_id}"


async def _call_redis(command: Any) -> Any:
    try:
        return await cast("Awaitable[Any]", command)
    except RedisError as error:
        raise StorageError(
            f"Redis cannot be used: {error}. Check DATAAGENT_REDIS_URL and that it runs."
        ) from error


def _microseconds(moment: datetime) -> int:
    # A sorted set's scores are floats, exact for whole numbers up to the year 2255.
    since = moment.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    return since // timedelta(microseconds=1)


def _encode_session(session: Session) -> str:
    return json.dumps(
        {
            "session_id": session.session_id,
            "user_id": session.user_id,
            "assistant_id": session.assistant_id,
            "created_at": session.created_at.astimezone(UTC).isoformat(),
            "last_active": session.last_active.astimezone(UTC).isoformat(),
            "state": json_text(session.state, "a session's state"),
            "metadata": json_text(session.metadata, "a session's metadata"),
        }
    )


def _decode_session(row: bytes) -> Session:
    kept = json.loads(row)
    return Session(
        session_id=kept["session_id"],
        user_id=kept["user_id"],
        assistant_id=kept["assistant_id"],
        created_at=datetime.fromisoformat(kept["created_at"]),
        last_active=datetime.fromisoformat(kept["last_active"]),
        state=json.loads(kept["state"]),
        metadata=json.loads(kept["metadata"]),
    )
