"""Stores results: the port, and the store in a folder of one user or project."""

import asyncio
import hashlib
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from pydantic import TypeAdapter

from dataagent_core.config.limits.data import RESULT_DAYS_MAX, RESULTS_BYTES_MAX
from dataagent_core.errors import ConflictError
from dataagent_core.tools.data.data_model import Dialect, EngineResult
from dataagent_core.tools.data.results.result_lineage import ResultLineage
from dataagent_core.tools.data.results.stored_result import (
    StoredResult,
    check_result_id,
    make_missing_result_error,
    make_result_id,
)

_DAY_S = 86_400.0
_STORED_RESULT = TypeAdapter(StoredResult)


class ResultStore(Protocol):
    """The results of one user or project; other results are not visible."""

    def draft(self) -> Path:
        """Return the path of a new file for an engine to write."""
        ...

    async def keep(
        self,
        draft: Path,
        ran: EngineResult,
        *,
        source: str,
        dialect: Dialect,
        sql: str,
        personal: Sequence[str] = (),
        session_id: str | None = None,
        lineage: ResultLineage | None = None,
    ) -> StoredResult:
        """Store a written file as a result."""
        ...

    async def get(self, result_id: str) -> StoredResult:
        """Return the metadata of a result."""
        ...

    async def path(self, result_id: str) -> Path:
        """Return its Parquet file."""
        ...

    async def is_local(self, result_id: str) -> bool:
        """Say whether the names of its sources still mean the same sources here."""
        ...

    async def listed(self) -> list[StoredResult]:
        """List the results, newest first."""
        ...

    async def remove(self, result_id: str) -> None:
        """Remove a result."""
        ...


class FolderResultStore:
    """`<id>.parquet` beside `<id>.json`; the second is written last, so a result is complete."""

    def __init__(
        self, folder: Path, days: float = RESULT_DAYS_MAX, *, bytes_max: int = RESULTS_BYTES_MAX
    ) -> None:
        self._folder = folder
        self._days = days
        self._bytes_max = bytes_max

    def draft(self) -> Path:
        drafts = self._folder / "drafts"
        drafts.mkdir(mode=0o700, parents=True, exist_ok=True)
        return drafts / f"{make_result_id()}.parquet"

    async def keep(
        self,
        draft: Path,
        ran: EngineResult,
        *,
        source: str,
        dialect: Dialect,
        sql: str,
        personal: Sequence[str] = (),
        session_id: str | None = None,
        lineage: ResultLineage | None = None,
    ) -> StoredResult:
        await asyncio.to_thread(self._free_space, draft)
        now = time.time()
        kept = StoredResult(
            result_id=draft.stem,
            source=source,
            dialect=dialect,
            sql=sql,
            columns=ran.columns,
            row_count=ran.row_count,
            truncated=ran.truncated,
            bytes=ran.bytes,
            sha256=await asyncio.to_thread(_hash_file, draft),
            elapsed_ms=ran.elapsed_ms,
            created_at=now,
            expires_at=now + self._days * _DAY_S,
            personal=tuple(personal),
            session_id=session_id,
            lineage=lineage or ResultLineage(),
        )
        await asyncio.to_thread(self._store, draft, kept)
        return kept

    async def get(self, result_id: str) -> StoredResult:
        return await asyncio.to_thread(self._read, check_result_id(result_id))

    async def path(self, result_id: str) -> Path:
        await self.get(result_id)
        return self._get_parquet_path(result_id)

    async def is_local(self, result_id: str) -> bool:
        del result_id  # one folder belongs to one list of sources
        return True

    async def listed(self) -> list[StoredResult]:
        return await asyncio.to_thread(self._list_results)

    async def remove(self, result_id: str) -> None:
        await self.get(result_id)
        await asyncio.to_thread(self._remove, result_id)

    async def forget_expired(self) -> int:
        """Remove expired results and old drafts; return the number of results."""
        return await asyncio.to_thread(self._forget_expired)

    def _free_space(self, draft: Path) -> None:
        """Remove expired results if space is short; refuse the draft if that is not enough."""
        size_bytes = draft.stat().st_size
        if self._measure_used_bytes() + size_bytes <= self._bytes_max:
            return
        self._forget_expired()
        used_bytes = self._measure_used_bytes()
        if used_bytes + size_bytes > self._bytes_max:
            draft.unlink(missing_ok=True)
            raise ConflictError(
                f"There is no room for a result of {size_bytes:,} bytes: those in {self._folder} "
                f"take {used_bytes:,} of {self._bytes_max:,}. Ask for fewer rows, delete some of "
                f"them (they go by themselves after {self._days:g} days), or allow more: "
                "DATAAGENT_RESULTS_MAX_BYTES"
            )

    def _measure_used_bytes(self) -> int:
        used_bytes = 0
        for file in self._folder.glob("r_*.parquet"):
            with suppress(FileNotFoundError):  # removed meanwhile
                used_bytes += file.stat().st_size
        return used_bytes

    def _get_parquet_path(self, result_id: str) -> Path:
        return self._folder / f"{result_id}.parquet"

    def _get_metadata_path(self, result_id: str) -> Path:
        return self._folder / f"{result_id}.json"

    def _store(self, draft: Path, kept: StoredResult) -> None:
        draft.chmod(0o600)
        draft.rename(self._get_parquet_path(kept.result_id))
        metadata = self._get_metadata_path(kept.result_id)
        unfinished = metadata.with_suffix(".part")
        unfinished.write_bytes(_STORED_RESULT.dump_json(kept))
        unfinished.chmod(0o600)
        unfinished.rename(metadata)

    def _read(self, result_id: str) -> StoredResult:
        try:
            kept = _STORED_RESULT.validate_json(self._get_metadata_path(result_id).read_bytes())
        except FileNotFoundError:
            raise make_missing_result_error(result_id) from None
        if kept.expires_at <= time.time():
            raise make_missing_result_error(result_id)
        return kept

    def _list_results(self) -> list[StoredResult]:
        if not self._folder.is_dir():
            return []
        found: list[StoredResult] = []
        for metadata in self._folder.glob("r_*.json"):
            with suppress(FileNotFoundError):  # removed meanwhile
                found.append(_STORED_RESULT.validate_json(metadata.read_bytes()))
        alive = [kept for kept in found if kept.expires_at > time.time()]
        return sorted(alive, key=lambda kept: kept.created_at, reverse=True)

    def _remove(self, result_id: str) -> None:
        self._get_metadata_path(result_id).unlink(missing_ok=True)
        self._get_parquet_path(result_id).unlink(missing_ok=True)

    def _forget_expired(self) -> int:
        alive = {kept.result_id for kept in self._list_results()}
        expired = {metadata.stem for metadata in self._folder.glob("r_*.json")} - alive
        oldest = time.time() - self._days * _DAY_S
        removed = 0
        for file in [*self._folder.glob("r_*.*"), *self._folder.glob("drafts/r_*")]:
            result_id = file.name.split(".")[0]
            if result_id in alive:
                continue
            with suppress(FileNotFoundError):
                # A result that is being stored has no metadata yet, but is recent.
                if result_id in expired or file.stat().st_mtime < oldest:
                    file.unlink()
                    removed += file.suffix == ".json"
        return removed


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
