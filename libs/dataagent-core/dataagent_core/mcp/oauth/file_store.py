"""One person's tokens in a file: `mcp-auth.json` in an assistant's folder.

Each entry is encrypted with its tenant, user and resource as associated data: copied under another
address, or into another person's file, it does not decrypt. Several processes may use one file.
"""

import asyncio
import hashlib
import json
import os
import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Literal, cast

from dataagent_core.config.limits import CONFIG_FILE_BYTES_MAX
from dataagent_core.config.limits.mcp import MCP_AUTH_FILE_LOCK_WAIT_S, MCP_AUTH_LOCK_WAIT_S
from dataagent_core.errors import ConfigurationError, StorageError
from dataagent_core.mcp.oauth.file_lock import hold_lock, hold_lock_briefly
from dataagent_core.mcp.oauth.tokens import (
    ClientRegistration,
    OAuthTokens,
    dump_tokens,
    load_tokens,
)
from dataagent_core.mcp.owner import Owner
from dataagent_core.secrets import Cipher, SecretLocation

AUTH_FILE = "mcp-auth.json"

_Kind = Literal["tokens", "client"]
# The two ciphertexts of each entry, by the hash of owner and resource.
_Entries = dict[str, dict[str, str]]


class FileTokenStore:
    """A `TokenStore` for one machine."""

    def __init__(
        self,
        path: Path,
        open_cipher: Callable[[], Cipher],
        *,
        lock_wait_s: float = MCP_AUTH_LOCK_WAIT_S,
    ) -> None:
        self._path = path
        # Opened on the first use of a secret: most commands need none.
        self._open_cipher = open_cipher
        self._lock_wait_s = lock_wait_s

    async def get_tokens(self, owner: Owner, resource: str) -> OAuthTokens | None:
        text = await asyncio.to_thread(self._get, owner, resource, "tokens")
        return None if text is None else load_tokens(OAuthTokens, text)

    async def set_tokens(self, owner: Owner, resource: str, tokens: OAuthTokens) -> None:
        await asyncio.to_thread(self._set, owner, resource, "tokens", dump_tokens(tokens))

    async def delete_tokens(self, owner: Owner, resource: str) -> None:
        await asyncio.to_thread(self._set, owner, resource, "tokens", None)

    async def get_client(self, owner: Owner, resource: str) -> ClientRegistration | None:
        text = await asyncio.to_thread(self._get, owner, resource, "client")
        return None if text is None else load_tokens(ClientRegistration, text)

    async def set_client(self, owner: Owner, resource: str, client: ClientRegistration) -> None:
        await asyncio.to_thread(self._set, owner, resource, "client", dump_tokens(client))

    async def delete_client(self, owner: Owner, resource: str) -> None:
        await asyncio.to_thread(self._set, owner, resource, "client", None)

    def lock(self, owner: Owner, resource: str) -> AbstractAsyncContextManager[None]:
        return hold_lock(self._locks / _entry_id(owner, resource), self._lock_wait_s)

    @property
    def _locks(self) -> Path:
        return self._path.with_suffix(".locks")

    def _get(self, owner: Owner, resource: str, kind: _Kind) -> str | None:
        # The file is replaced atomically: reading needs no lock.
        stored = self._read().get(_entry_id(owner, resource), {}).get(kind)
        if stored is None:
            return None
        return self._open_cipher().decrypt(stored, _secret_location(owner, resource, kind))

    def _set(self, owner: Owner, resource: str, kind: _Kind, text: str | None) -> None:
        with hold_lock_briefly(self._locks / "file", MCP_AUTH_FILE_LOCK_WAIT_S):
            entries = self._read()
            entry_id = _entry_id(owner, resource)
            entry = {one: kept for one, kept in entries.get(entry_id, {}).items() if one != kind}
            if text is not None:
                entry[kind] = self._open_cipher().encrypt(
                    text, _secret_location(owner, resource, kind)
                )
            elif kind not in entries.get(entry_id, {}):
                return
            others = {one: kept for one, kept in entries.items() if one != entry_id}
            self._write({**others, entry_id: entry} if entry else others)

    def _read(self) -> _Entries:
        try:
            with self._path.open("rb") as file:
                data = file.read(CONFIG_FILE_BYTES_MAX + 1)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StorageError(
                f"{self._path} cannot be read: {error.strerror or error}. Make it your own again."
            ) from error
        entries = _parse_entries(data) if len(data) <= CONFIG_FILE_BYTES_MAX else None
        if entries is None:
            raise ConfigurationError(
                f"{self._path} does not hold sign-ins any more. Restore it from a copy, or remove "
                "it and sign in again."
            )
        return entries

    def _write(self, entries: _Entries) -> None:
        temporary = self._path.with_name(f".{self._path.name}.{secrets.token_hex(8)}")
        try:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with os.fdopen(descriptor, "w", encoding="ascii") as file:
                    json.dump(entries, file, indent=2)
                    file.flush()
                    os.fsync(file.fileno())
                temporary.replace(self._path)
            finally:
                temporary.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(
                f"{self._path} cannot be written: {error.strerror or error}. Make room, or make "
                "its folder writable."
            ) from error


def _entry_id(owner: Owner, resource: str) -> str:
    key = json.dumps([owner.tenant_id, owner.user_id, resource])
    return hashlib.sha256(key.encode()).hexdigest()


def _secret_location(owner: Owner, resource: str, kind: _Kind) -> SecretLocation:
    return SecretLocation(owner.tenant_id, f"MCP {kind}", json.dumps([owner.user_id, resource]))


def _parse_entries(data: bytes) -> _Entries | None:
    try:
        data_read: Any = json.loads(data)
    except ValueError:
        return None
    if not isinstance(data_read, dict):
        return None
    entries = cast("dict[str, Any]", data_read)
    for entry in entries.values():
        if not isinstance(entry, dict):
            return None
        if not all(isinstance(one, str) for one in cast("dict[str, Any]", entry).values()):
            return None
    return cast("_Entries", entries)
