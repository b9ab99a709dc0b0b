"""The properties of `MemoryService` over a person's file."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.memory.memory import MemoryMetadata, MemoryScope
from dataagent_core.memory.memory_results import MemoryOwner, MemoryQueryOptions
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.sql.store.sqlite_memory_store import open_memory_store
from dataagent_core.testing.conformance import MemoryServiceConformance
from dataagent_core.testing.conformance.memory import TENANT
from tests.counts import examples


class TestMemoryServiceOnSqlite(MemoryServiceConformance):
    @pytest.fixture
    def memory_store(self, tmp_path: Path) -> MemoryStore:
        return open_memory_store(tmp_path / "memory.db", TENANT)


@pytest.mark.requirement("S3-12")
@settings(max_examples=examples(100))
@given(
    expiries=st.lists(st.none() | st.integers(1, 9), min_size=1, max_size=4),
    day=st.integers(0, 10),
)
def test_s3_12_what_has_expired_cannot_be_found_after_a_cleanup(
    expiries: list[int | None], day: int
):
    with TemporaryDirectory() as folder:
        asyncio.run(_cleaned_up(Path(folder), expiries, day))


async def _cleaned_up(folder: Path, expiries: list[int | None], day: int) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    later = now + timedelta(days=day)
    moments = iter([now] * len(expiries))
    service = MemoryService(
        open_memory_store(folder / "memory.db", TENANT), clock=lambda: next(moments, later)
    )
    scope = MemoryScope.of_user(TENANT, "ann", "default")
    kept: set[str] = set()
    for number, expiry in enumerate(expiries):
        expires_at = None if expiry is None else now + timedelta(days=expiry)
        added = await service.add(
            f"Invoice {number} is paid", MemoryMetadata(scope=scope, expires_at=expires_at)
        )
        if expiry is None or expiry > day:
            kept.add(added.id)
    assert await service.cleanup(scope, later) == len(expiries) - len(kept)
    owner = MemoryOwner(tenant_id=TENANT, user_id="ann")
    listed = await service.get_by_user(owner, MemoryQueryOptions(with_past=True, limit=50))
    assert {one.id for one in listed} == kept
    assert {one.memory.id for one in await service.search("invoice", scope, 50)} == kept
