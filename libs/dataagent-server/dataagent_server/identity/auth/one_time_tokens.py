"""One-time, short-lived tokens: sign-in URLs and WebSocket tickets. Only a keyed hash is stored.

Redeeming is one conditional update, so of two attempts at the same moment one succeeds.
"""

from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, delete, insert, select, update

from dataagent_core.secrets import Keyring
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.people import one_time_tokens
from dataagent_server.identity.auth.limits import SIGN_IN_URL_S, TOKEN_CHARS_MAX, WS_TICKET_S
from dataagent_server.identity.auth.tokens import new_token

Purpose = Literal["sign_in", "ws_ticket"]
_LIFE_S: dict[Purpose, float] = {"sign_in": SIGN_IN_URL_S, "ws_ticket": WS_TICKET_S}


@dataclass(frozen=True, slots=True)
class TokenGrant:
    """The user of a token; a ticket also names a session and the credential of its requester."""

    tenant_id: TenantId
    user_id: str
    purpose: Purpose
    key_id: str | None = None
    login_id: str | None = None
    session_id: str | None = None


_FIELDS = tuple(field.name for field in fields(TokenGrant))


def issue(connection: Connection, keyring: Keyring, grant: TokenGrant, now: datetime) -> str:
    """Create a token for the grant and return it; it is shown only here."""
    token = new_token()
    connection.execute(
        insert(one_time_tokens).values(
            token_hash=keyring.hashes("one-time", token)[0],
            created_at=now,
            expires_at=now + timedelta(seconds=_LIFE_S[grant.purpose]),
            **{name: getattr(grant, name) for name in _FIELDS},
        )
    )
    return token


def redeem(
    connection: Connection,
    keyring: Keyring,
    token: str,
    purpose: Purpose,
    now: datetime,
    *,
    session_id: str | None = None,
) -> TokenGrant | None:
    """Redeem a token; None for one that is unknown, used, expired, or for another purpose."""
    if len(token) > TOKEN_CHARS_MAX:
        return None
    columns = one_time_tokens.c
    for token_hash in keyring.hashes("one-time", token):
        used = connection.execute(
            update(one_time_tokens)
            .where(
                columns.token_hash == token_hash,
                columns.purpose == purpose,
                columns.used_at.is_(None),
                columns.expires_at > now,
                columns.session_id == session_id
                if session_id is not None
                else columns.session_id.is_(None),
            )
            .values(used_at=now)
        )
        if used.rowcount == 1:
            query = select(*(columns[name] for name in _FIELDS))
            row = connection.execute(query.where(columns.token_hash == token_hash))
            return TokenGrant(**row.mappings().one())
    return None


def cancel_tokens(connection: Connection, tenant_id: TenantId, user_id: str) -> None:
    """Cancel a user's unused tokens."""
    connection.execute(
        delete(one_time_tokens).where(
            one_time_tokens.c.tenant_id == tenant_id, one_time_tokens.c.user_id == user_id
        )
    )
