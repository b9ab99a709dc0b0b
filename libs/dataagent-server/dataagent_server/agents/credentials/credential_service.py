"""Stores a tenant's credentials, and decrypts them for a run.

A stored key only ever goes to the address it was entered with: to change the address, the key must
be entered again. Otherwise an admin who never saw the key could have it sent to their own server.
"""

from collections.abc import Sequence
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection, RowMapping
from sqlalchemy.exc import IntegrityError

from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.secrets import Cipher, SecretLocation
from dataagent_server.agents.credentials import credential_rows, provider_fields
from dataagent_server.agents.credentials.base_url_check import BaseUrlCheck
from dataagent_server.agents.credentials.model_credential import ModelCredential, UsableCredential
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal, Resource, require
from dataagent_server.identity.auth.clock import Clock, utc_now

_KIND = "model_credential"


class CredentialService:
    """The credentials of the principal's own tenant."""

    def __init__(
        self,
        database: Database,
        audit: AuditTrail,
        cipher: Cipher,
        addresses: BaseUrlCheck,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._audit = audit
        self._cipher = cipher
        self._addresses = addresses
        self._clock = clock

    async def list(self, principal: Principal) -> list[ModelCredential]:
        """List the tenant's credentials."""
        _require(principal, "credential.read")
        found = await self._database.read(
            lambda c: credential_rows.list_credentials(c, principal.tenant_id)
        )
        return [credential_rows.redact_credential(row) for row in found]

    async def get(self, principal: Principal, provider: str) -> ModelCredential:
        """Return the credential of one provider."""
        _require(principal, "credential.read")
        row = await self._database.read(
            lambda c: credential_rows.find_credential(c, principal.tenant_id, provider)
        )
        if row is None:
            raise _not_found(provider)
        return credential_rows.redact_credential(row)

    async def put(
        self,
        principal: Principal,
        provider: str,
        *,
        key: str | None,
        base_url: str | None = None,
        default_model: str | None = None,
        version: int | None = None,
    ) -> ModelCredential:
        """Set the credential of a provider; `***` as key keeps the stored one."""
        _require(principal, "credential.change")
        known = provider_fields.find_provider(provider)
        if key not in (None, provider_fields.UNCHANGED):
            key = provider_fields.validate_key(known, key or "") or None
        if base_url is not None and known.base_url_setting is None:
            raise ValidationError(f"{known.title} has one address; leave base_url out.")
        address = await self._addresses.check(base_url) if base_url else None
        model = provider_fields.validate_model(default_model) if default_model else None
        tenant_id = principal.tenant_id

        def work(connection: Connection) -> ModelCredential:
            old = credential_rows.find_credential(connection, tenant_id, known.name, lock=True)
            if version is not None and version != (old["version"] if old else 0):
                raise ConflictError(
                    "Somebody else changed the credential meanwhile. Read it again."
                )
            values = self._key_columns(tenant_id, known.name, key, old, address)
            values |= {"base_url": address, "default_model": model, "updated_at": self._clock()}
            if values["secret"] is None and address is None:
                raise ValidationError(f"Give a key for {known.title}, or a base_url, or both.")
            self._store(connection, tenant_id, known.name, old, values)
            new = credential_rows.find_credential(connection, tenant_id, known.name)
            assert new is not None
            detail = {
                "base_url": address,
                "default_model": model,
                "key": "unchanged" if key == provider_fields.UNCHANGED else self._audit.digest(key),
            }
            self._record(connection, principal, "credential.change", known.name, detail)
            return credential_rows.redact_credential(new)

        return await self._database.write(work)

    async def delete(self, principal: Principal, provider: str) -> None:
        """Delete the credential of a provider."""
        _require(principal, "credential.change")

        def work(connection: Connection) -> None:
            if not credential_rows.remove_credential(connection, principal.tenant_id, provider):
                raise _not_found(provider)
            self._record(connection, principal, "credential.delete", provider, {})

        await self._database.write(work)

    async def credentials_for(self, tenant_id: TenantId) -> Sequence[UsableCredential]:
        """Decrypt a tenant's credentials for one of its runs; addresses are checked again."""
        found = await self._database.read(lambda c: credential_rows.list_credentials(c, tenant_id))
        usable = [self._decrypt(tenant_id, row) for row in found]
        for credential in usable:
            if credential.base_url is not None:
                await self._addresses.check(credential.base_url)
        return usable

    def _decrypt(self, tenant_id: TenantId, row: RowMapping) -> UsableCredential:
        key = None
        if row["secret"] is not None:
            location = SecretLocation(tenant_id, _KIND, row["provider"])
            key = SecretStr(self._cipher.decrypt(row["secret"], location))
        return UsableCredential(row["provider"], key, row["base_url"], row["default_model"])

    def _key_columns(
        self,
        tenant_id: TenantId,
        provider: str,
        key: str | None,
        old: RowMapping | None,
        address: str | None,
    ) -> dict[str, Any]:
        if key == provider_fields.UNCHANGED:
            if old is None or old["secret"] is None:
                raise ValidationError(f"There is no stored key of {provider!r} to keep. Enter it.")
            if old["base_url"] != address:
                raise ValidationError(
                    "With another base_url the key must be entered again: a stored key is only "
                    "sent where it was entered for."
                )
            return {"secret": old["secret"], "last_four": old["last_four"]}
        if key is None:
            return {"secret": None, "last_four": None}
        secret = self._cipher.encrypt(key, SecretLocation(tenant_id, _KIND, provider))
        return {"secret": secret, "last_four": provider_fields.last_four(key)}

    def _store(
        self,
        connection: Connection,
        tenant_id: TenantId,
        provider: str,
        old: RowMapping | None,
        values: dict[str, Any],
    ) -> None:
        if old is not None:
            values["version"] = old["version"] + 1
            credential_rows.change_credential(connection, tenant_id, provider, values)
            return
        identity = {"tenant_id": tenant_id, "provider": provider, "version": 1}
        try:
            credential_rows.add_credential(
                connection, {**identity, "created_at": values["updated_at"], **values}
            )
        except IntegrityError:
            raise ConflictError("Somebody else added the credential meanwhile.") from None

    def _record(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        provider: str,
        detail: dict[str, Any],
    ) -> None:
        self._audit.record(
            connection, principal.tenant_id, principal.actor, action, f"credential:{provider}",
            detail,
        )  # fmt: skip


def _require(principal: Principal, action: Action) -> None:
    require(principal, action, Resource(principal.tenant_id, "credential"))


def _not_found(provider: str) -> NotFoundError:
    return NotFoundError(f"There are no credentials of {provider[:80]!r}.")
