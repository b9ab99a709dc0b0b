"""API keys: several per user, named, with scopes and an expiry, shown once.

A key never has more rights than its creator: its scopes are among the creator's.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from dataagent_core.errors import (
    DeniedError,
    LimitReachedError,
    NotFoundError,
    ValidationError,
)
from dataagent_core.secrets import Keyring
from dataagent_server.common.names import validate_name
from dataagent_server.common.pagination import ItemPage, PageRequest, make_page
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal, Resource, Scope, require
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.auth.limits import KEY_LIFE_DAYS_MAX, KEYS_PER_USER_MAX
from dataagent_server.identity.auth.may import covers
from dataagent_server.identity.auth.principal import SCOPES
from dataagent_server.identity.auth.tokens import new_api_key
from dataagent_server.identity.users import key_rows, user_rows
from dataagent_server.identity.users.user import ApiKey, CreatedKey


class KeyService:
    """The keys of the principal's own tenant."""

    def __init__(
        self,
        database: Database,
        audit: AuditTrail,
        cache: PrincipalCache,
        keyring: Keyring,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._audit = audit
        self._cache = cache
        self._keyring = keyring
        self._clock = clock

    async def create(
        self,
        principal: Principal,
        name: str,
        *,
        scopes: Sequence[Scope] | None = None,
        expires_at: datetime | None = None,
        user_id: str | None = None,
    ) -> CreatedKey:
        """Create a key for the principal; only the operator creates one for another user."""
        owner = user_id or principal.user_id
        require(principal, "key.create", _key_resource(principal, owner))
        now = self._clock()
        made = new_api_key()
        key = ApiKey(
            key_id=made.key_id,
            user_id=owner,
            name=validate_name(name, "name"),
            prefix=made.prefix,
            scopes=_narrow_scopes(principal, scopes),
            created_at=now,
            expires_at=_validate_expiry(expires_at, now),
            last_used_at=None,
            revoked_at=None,
        )
        key_hash = self._keyring.hashes("api-key", made.secret)[0]

        def work(connection: Connection) -> None:
            if user_rows.find_user(connection, principal.tenant_id, owner) is None:
                raise NotFoundError(f"There is no user {owner!r}.")
            held = key_rows.count_valid_keys(connection, principal.tenant_id, owner, now)
            if held >= KEYS_PER_USER_MAX:
                raise LimitReachedError(
                    f"There are {KEYS_PER_USER_MAX} valid keys already. Revoke one first."
                )
            key_rows.add_key(connection, principal.tenant_id, key, key_hash)
            detail = {
                "name": key.name,
                "user_id": owner,
                "scopes": key.scopes,
                "expires_at": key.expires_at.isoformat() if key.expires_at else None,
            }
            self._record(connection, principal, "key.create", key.key_id, detail)

        await self._database.write(work)
        return CreatedKey(key, made.secret)

    async def list(
        self, principal: Principal, page_request: PageRequest, *, user_id: str | None = None
    ) -> ItemPage[ApiKey]:
        """List a user's keys: by default the principal's own, for an admin any user's."""
        owner = user_id or principal.user_id
        require(principal, "key.read", _key_resource(principal, owner))
        found = await self._database.read(
            lambda c: key_rows.list_keys(c, principal.tenant_id, owner, page_request)
        )
        return make_page(found, page_request, lambda key: (key.created_at, key.key_id))

    async def get(self, principal: Principal, key_id: str) -> ApiKey:
        """Return one key."""
        return await self._database.read(
            lambda c: self._find_visible(c, principal, key_id, "key.read")
        )

    async def revoke(self, principal: Principal, key_id: str) -> None:
        """Revoke a key; revoking it again changes nothing."""

        def work(connection: Connection) -> None:
            key = self._find_visible(connection, principal, key_id, "key.revoke")
            if key_rows.revoke_key(connection, principal.tenant_id, key_id, self._clock()):
                detail = {"name": key.name, "user_id": key.user_id}
                self._record(connection, principal, "key.revoke", key_id, detail)

        await self._database.write(work)
        self._cache.forget_all()

    def _find_visible(
        self, connection: Connection, principal: Principal, key_id: str, action: Action
    ) -> ApiKey:
        key = key_rows.find_key(connection, principal.tenant_id, key_id)
        if key is None:
            raise NotFoundError(f"There is no key {key_id!r}.")
        owner = user_rows.find_user(connection, principal.tenant_id, key.user_id)
        role = owner.role if owner else None
        resource = Resource(principal.tenant_id, "key", owner_id=key.user_id, role=role)
        require(principal, action, resource)
        return key

    def _record(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        key_id: str,
        detail: Mapping[str, object],
    ) -> None:
        self._audit.record(
            connection, principal.tenant_id, principal.actor, action, f"key:{key_id}", detail
        )


def _key_resource(principal: Principal, owner_id: str) -> Resource:
    return Resource(principal.tenant_id, "key", owner_id=owner_id)


def _narrow_scopes(
    principal: Principal, scopes: Sequence[Scope] | None
) -> tuple[Scope, ...] | None:
    if scopes is None:
        # Without a choice, the creator's scopes.
        held = principal.scopes
        return None if held is None else tuple(scope for scope in SCOPES if scope in held)
    chosen: tuple[Scope, ...] = tuple(scope for scope in SCOPES if scope in scopes)
    if not chosen or len(chosen) != len(set(scopes)):
        raise ValidationError(f"The scopes of a key are one or more of {', '.join(SCOPES)}.")
    for scope in chosen:
        if not covers(principal.scopes, scope):
            raise DeniedError(f"A key cannot give the scope {scope!r} that this key lacks.")
    return chosen


def _validate_expiry(expires_at: datetime | None, now: datetime) -> datetime | None:
    if expires_at is None:
        return None
    if expires_at.tzinfo is None:
        raise ValidationError(
            f"expires_at {expires_at.isoformat()} has no time zone; add one, as in "
            "2030-01-31T12:00:00Z."
        )
    if not now < expires_at <= now + timedelta(days=KEY_LIFE_DAYS_MAX):
        raise ValidationError(
            f"expires_at {expires_at.isoformat()} must lie in the future, at most "
            f"{KEY_LIFE_DAYS_MAX:,} days from now."
        )
    return expires_at
