"""The servers a person signed in to, and their encrypted keys, in a file only they can read.

`servers.json` in DATAAGENT_HOME. A key is bound to its server's address: copied to another address
it cannot be decrypted.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from dataagent_cli.remote.limits import LOGINS_FILE_BYTES_MAX, LOGINS_MAX
from dataagent_cli.wiring import TENANT
from dataagent_core.errors import ConfigurationError, ConflictError

if TYPE_CHECKING:
    from dataagent_core.config import Settings
    from dataagent_core.secrets import Cipher, SecretLocation

FILE_NAME = "servers.json"


@dataclass(frozen=True, slots=True)
class _LoginsContent:
    """The content of the file."""

    last: str | None
    keys: dict[str, str]


class Logins:
    """The file of one person."""

    def __init__(self, path: Path, open_cipher: "Callable[[], Cipher]") -> None:
        self._path = path
        # Opened when a key is read or written: most commands need none.
        self._open_cipher = open_cipher

    @property
    def last(self) -> str | None:
        """The server of the last login."""
        return self._read().last

    @property
    def urls(self) -> list[str]:
        return sorted(self._read().keys)

    def key(self, url: str) -> str | None:
        """Return the key for a server, if there is one."""
        sealed = self._read().keys.get(url)
        return (
            None if sealed is None else self._open_cipher().decrypt(sealed, _secret_location(url))
        )

    def keep(self, url: str, key: str) -> None:
        """Store a key; it replaces the one before."""
        content = self._read()
        if url not in content.keys and len(content.keys) >= LOGINS_MAX:
            raise ConflictError(
                f"You are signed in to {LOGINS_MAX} servers. Sign out of one first: "
                f"dataagent logout {next(iter(content.keys))}"
            )
        sealed = self._open_cipher().encrypt(key, _secret_location(url))
        self._write(_LoginsContent(url, {**content.keys, url: sealed}))

    def forget(self, url: str) -> bool:
        """Remove a server; return whether there was one."""
        content = self._read()
        if url not in content.keys:
            return False
        remaining = {other: sealed for other, sealed in content.keys.items() if other != url}
        last = content.last if content.last in remaining else next(reversed(remaining), None)
        self._write(_LoginsContent(last, remaining))
        return True

    def _read(self) -> _LoginsContent:
        try:
            with self._path.open("rb") as file:
                data = file.read(LOGINS_FILE_BYTES_MAX + 1)
        except FileNotFoundError:
            return _LoginsContent(None, {})
        with suppress(ValueError):
            content = (
                _parse_logins(json.loads(data)) if len(data) <= LOGINS_FILE_BYTES_MAX else None
            )
            if content is not None:
                return content
        raise ConfigurationError(
            f"{self._path} is not a list of servers any more. Restore it from a copy, or remove it "
            "and sign in again."
        )

    def _write(self, content: _LoginsContent) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        aside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"last": content.last, "servers": content.keys}, file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        aside.rename(self._path)


def logins_of(settings: "Settings") -> Logins:
    """Open the person's logins."""

    def cipher() -> "Cipher":
        from dataagent_core.secrets import Cipher, open_keyring

        return Cipher(open_keyring(settings.secret_key_path))

    return Logins(settings.home / FILE_NAME, cipher)


def _parse_logins(data: Any) -> _LoginsContent | None:
    if not isinstance(data, dict):
        return None
    fields = cast("dict[str, Any]", data)
    last, keys = fields.get("last"), fields.get("servers")
    if not (last is None or isinstance(last, str)) or not isinstance(keys, dict):
        return None
    known = cast("dict[str, Any]", keys)
    if not all(isinstance(sealed, str) for sealed in known.values()):
        return None
    return _LoginsContent(last, cast("dict[str, str]", known))


def _secret_location(url: str) -> "SecretLocation":
    from dataagent_core.secrets import SecretLocation

    return SecretLocation(TENANT, "server key", url)
