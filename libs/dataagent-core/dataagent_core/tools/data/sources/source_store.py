"""Stores sources: the port, and the store of one user in a file.

Addresses hold passwords, so the file encrypts them, bound to the source's name.
"""

import asyncio
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from dataagent_core.config.limits import CONFIG_FILE_BYTES_MAX
from dataagent_core.config.limits.data import SOURCES_MAX
from dataagent_core.errors import ConfigurationError, ConflictError, NotFoundError
from dataagent_core.secrets import Cipher, SecretLocation
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.definition.name_suggestions import suggest_names

_SECRET_FIELDS = ("location", "write_url")
_LIST_FIELDS = ("personal", "not_personal", "hidden")


class SourceStore(Protocol):
    """The sources of one user or project."""

    async def listed(self) -> Sequence[SourceSpec]:
        """List them by name."""
        ...

    async def find(self, name: str) -> SourceSpec | None:
        """Return the source of this name, if there is one."""
        ...


class EmptySourceStore:
    """A store without sources: files are still asked by their paths."""

    async def listed(self) -> Sequence[SourceSpec]:
        """Return no sources."""
        return ()

    async def find(self, name: str) -> SourceSpec | None:
        """Return None."""
        del name
        return None


class FileSourceStore:
    """The sources of one user in a file."""

    def __init__(self, path: Path, open_cipher: Callable[[], Cipher], tenant_id: str) -> None:
        self._path = path
        # Opened when a secret is read or written: most commands need none.
        self._open_cipher = open_cipher
        self._tenant_id = tenant_id

    async def listed(self) -> Sequence[SourceSpec]:
        """List them by name."""
        return await asyncio.to_thread(self._list_specs)

    async def find(self, name: str) -> SourceSpec | None:
        """Return the source of this name, if there is one."""
        return next((spec for spec in await self.listed() if spec.name == name), None)

    async def add(self, spec: SourceSpec, *, replace: bool = False) -> None:
        """Store a source; one of the same name is replaced only with `replace`."""
        await asyncio.to_thread(self._add, spec, replace=replace)

    async def remove(self, name: str) -> None:
        """Remove a source."""
        await asyncio.to_thread(self._remove, name)

    def _list_specs(self) -> list[SourceSpec]:
        cipher: Cipher | None = None
        specs: list[SourceSpec] = []
        for name, fields in sorted(self._read().items()):
            cipher = cipher or self._open_cipher()
            specs.append(self._decrypt_spec(name, fields, cipher))
        return specs

    def _add(self, spec: SourceSpec, *, replace: bool) -> None:
        known = self._read()
        if spec.name in known and not replace:
            raise ConflictError(
                f"There is a source {spec.name!r} already. Choose another name, or remove it: "
                f"dataagent sources remove {spec.name}"
            )
        if len(known) >= SOURCES_MAX:
            raise ConflictError(f"There are {len(known)} sources, no more fit: remove one first.")
        cipher = self._open_cipher()
        fields = {key: value for key, value in asdict(spec).items() if key != "name"}
        for key in _SECRET_FIELDS:
            if fields[key] is not None:
                fields[key] = cipher.encrypt(
                    fields[key], self._make_secret_location(spec.name, key)
                )
        self._write({**known, spec.name: fields})

    def _remove(self, name: str) -> None:
        known = self._read()
        if name not in known:
            raise NotFoundError(
                f"There is no source {name!r}. {suggest_names(name, known)}".rstrip()
            )
        del known[name]
        self._write(known)

    def _decrypt_spec(self, name: str, fields: dict[str, Any], cipher: Cipher) -> SourceSpec:
        fields = dict(fields)
        for key in _SECRET_FIELDS:
            if fields.get(key) is not None:
                fields[key] = cipher.decrypt(fields[key], self._make_secret_location(name, key))
        for key in _LIST_FIELDS:
            fields[key] = tuple(fields.get(key, ()))
        return SourceSpec(name=name, **fields)

    def _make_secret_location(self, name: str, key: str) -> SecretLocation:
        return SecretLocation(self._tenant_id, f"data source {key}", name)

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            with self._path.open("rb") as file:
                data = file.read(CONFIG_FILE_BYTES_MAX + 1)
        except FileNotFoundError:
            return {}
        with suppress(ValueError):
            known = json.loads(data) if len(data) <= CONFIG_FILE_BYTES_MAX else None
            if isinstance(known, dict):
                return known
        raise ConfigurationError(
            f"{self._path} is not a list of sources any more. Restore it from a copy, or remove it "
            "and add the sources again."
        )

    def _write(self, known: dict[str, dict[str, Any]]) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(known, file, indent=2, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        temporary.rename(self._path)
