"""Which sources there are: the port, and one person's own in a file.

Addresses hold passwords, so they are encrypted in the file with the source's name bound in.
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

_SECRET = ("location", "write_url")
_LISTS = ("personal", "not_personal", "hidden")


class SourceStore(Protocol):
    """The sources of whoever it was opened for."""

    async def listed(self) -> Sequence[SourceSpec]:
        """List them by name."""
        ...

    async def find(self, name: str) -> SourceSpec | None:
        """Give the one of this name, if there is one."""
        ...


class EmptySourceStore:
    """A store without sources: files are still asked by their paths."""

    async def listed(self) -> Sequence[SourceSpec]:
        """List none."""
        return ()

    async def find(self, name: str) -> SourceSpec | None:
        """Find none."""
        del name
        return None


class FileSourceStore:
    """One person's sources in a file of their own."""

    def __init__(self, path: Path, open_cipher: Callable[[], Cipher], tenant_id: str) -> None:
        self._path = path
        # Opened when a secret is read or written: most commands need none.
        self._open_cipher = open_cipher
        self._tenant_id = tenant_id

    async def listed(self) -> Sequence[SourceSpec]:
        """List them by name."""
        return await asyncio.to_thread(self._listed)

    async def find(self, name: str) -> SourceSpec | None:
        """Give the one of this name, if there is one."""
        return next((spec for spec in await self.listed() if spec.name == name), None)

    async def add(self, spec: SourceSpec, *, replace: bool = False) -> None:
        """Write a source down; one of the same name is only replaced on purpose."""
        await asyncio.to_thread(self._add, spec, replace=replace)

    async def remove(self, name: str) -> None:
        """Forget a source."""
        await asyncio.to_thread(self._remove, name)

    def _listed(self) -> list[SourceSpec]:
        cipher: Cipher | None = None
        specs: list[SourceSpec] = []
        for name, facts in sorted(self._read().items()):
            cipher = cipher or self._open_cipher()
            specs.append(self._opened(name, facts, cipher))
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
        facts = {key: value for key, value in asdict(spec).items() if key != "name"}
        for key in _SECRET:
            if facts[key] is not None:
                facts[key] = cipher.encrypt(facts[key], self._place(spec.name, key))
        self._write({**known, spec.name: facts})

    def _remove(self, name: str) -> None:
        known = self._read()
        if name not in known:
            raise NotFoundError(
                f"There is no source {name!r}. {suggest_names(name, known)}".rstrip()
            )
        del known[name]
        self._write(known)

    def _opened(self, name: str, facts: dict[str, Any], cipher: Cipher) -> SourceSpec:
        opened = dict(facts)
        for key in _SECRET:
            if opened.get(key) is not None:
                opened[key] = cipher.decrypt(opened[key], self._place(name, key))
        for key in _LISTS:
            opened[key] = tuple(opened.get(key, ()))
        return SourceSpec(name=name, **opened)

    def _place(self, name: str, key: str) -> SecretLocation:
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
        aside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(known, file, indent=2, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        aside.rename(self._path)
