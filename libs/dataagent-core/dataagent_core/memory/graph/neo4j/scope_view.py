"""A transaction that sees the nodes of some scopes, and no others.

A statement that does not name the scopes, or the tenant where all scopes are meant, is not run:
so no store forgets it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from neo4j import AsyncManagedTransaction

from dataagent_core.language.unicode_text import storable
from dataagent_core.memory.memory import MemoryScope

SCOPE_FIELDS: Final = ("tenant_id", "user_id", "scope_kind", "assistant_id", "project_id")


@dataclass(frozen=True, slots=True)
class ScopeView:
    """The nodes of some scopes of a tenant."""

    transaction: AsyncManagedTransaction
    tenant_id: str
    # By key.
    scopes: Mapping[str, MemoryScope]

    async def run(self, statement: str, **values: Any) -> list[dict[str, Any]]:
        """Run a statement on these scopes."""
        if "$scopes" not in statement:
            raise ValueError(f"A statement without its scopes: {statement}")
        return await self._run(statement, {**values, "scopes": list(self.scopes)})

    async def run_on_tenant(self, statement: str, **values: Any) -> list[dict[str, Any]]:
        """Run a statement on all scopes of the tenant."""
        if "$tenant_id" not in statement:
            raise ValueError(f"A statement without its tenant: {statement}")
        return await self._run(statement, values)

    async def lock(self) -> None:
        """Wait until nobody else writes into these scopes, and keep others out until the end."""
        await self.run(
            "UNWIND $scopes AS scope WITH scope ORDER BY scope "
            "MERGE (s:MemoryScope {scope: scope}) SET s.writes = coalesce(s.writes, 0) + 1"
        )

    async def _run(self, statement: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
        parameters = storable({**values, "tenant_id": self.tenant_id})
        # Statements are put together from constants.
        result = await self.transaction.run(cast("Any", statement), parameters)
        return await result.data()


def make_key(scope: MemoryScope) -> str:
    """Give the key of a scope; two scopes never have the same one."""
    parts = (scope.tenant_id, scope.user_id, scope.kind, scope.assistant_id, scope.project_id)
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        text = part.encode("utf-8", "surrogatepass")
        digest.update(len(text).to_bytes(8) + text)
    return digest.hexdigest()


def keys_of(scopes: Sequence[MemoryScope], tenant_id: str) -> dict[str, MemoryScope]:
    """Give scopes by their keys; those of another tenant are left out."""
    return {make_key(one): one for one in scopes if one.tenant_id == tenant_id}


def scope_properties(scope: MemoryScope) -> dict[str, Any]:
    """Give what each node and relation says of its scope."""
    values = (scope.tenant_id, scope.user_id, scope.kind, scope.assistant_id, scope.project_id)
    return {**dict(zip(SCOPE_FIELDS, values, strict=True)), "scope": make_key(scope)}


def read_scope(properties: Mapping[str, Any]) -> MemoryScope:
    """Return the scope of a node."""
    return MemoryScope(
        tenant_id=properties["tenant_id"],
        user_id=properties["user_id"],
        kind=properties["scope_kind"],
        assistant_id=properties["assistant_id"],
        project_id=properties["project_id"],
    )


def hash_token(scope_key: str, text: str) -> str:
    """Give the token of a word or a name: one of another scope never equals it."""
    encoded = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(encoded, digest_size=10, key=scope_key.encode()).hexdigest()
