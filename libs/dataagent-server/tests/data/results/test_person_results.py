"""A person's kept results: their own, counted, and gone after their days."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sqlalchemy import update
from workspace_installation import WorkspaceInstallation

from dataagent_core.errors import NotFoundError
from dataagent_core.tools.data.data_model import EngineResult, ResultColumn
from dataagent_core.tools.data.results import StoredResult
from dataagent_core.tools.data.results.result_reader import read_page
from dataagent_server.common.errors import QuotaExceededError
from dataagent_server.common.pagination import PageRequest
from dataagent_server.data.results.person_results import UserResultStore
from dataagent_server.data.results.result_rows import ResultOwner
from dataagent_server.data.results.sweep_results import sweep_results
from dataagent_server.db.tables.data import results as table
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.workspaces.agent_workspace import (
    ensure_user_default_workspace,
    open_for_agent,
)
from dataagent_server.workspaces.quota.reconcile import reconcile

COLUMN = ResultColumn(name="a", type="BIGINT", kind="integer")


def of(spaces: WorkspaceInstallation, person: Principal) -> UserResultStore:
    whose = ResultOwner(person.tenant_id, person.user_id)
    return UserResultStore(spaces.store, spaces.base.parent, whose)


async def keep(results: UserResultStore, rows: int = 3) -> StoredResult:
    draft = results.draft()
    pq.write_table(pa.table({"a": list(range(rows))}), draft)
    size = draft.stat().st_size
    ran = EngineResult(columns=(COLUMN,), row_count=rows, truncated=False, elapsed_ms=5, bytes=size)
    return await results.keep(
        draft, ran, source="shop", dialect="duckdb", sql="SELECT a", personal=["a=phone"]
    )


async def used(spaces: WorkspaceInstallation, person: Principal) -> tuple[int, int]:
    space = await ensure_user_default_workspace(spaces.store, person.tenant_id, person.user_id)
    amount = (await spaces.counted(space)).amount
    return amount.size_bytes, amount.files


@pytest.mark.every_database
async def test_a_result_is_kept_read_listed_and_removed_with_its_room(
    spaces: WorkspaceInstallation,
):
    ann = await spaces.person()
    results = of(spaces, ann)
    before = await used(spaces, ann)
    first, second = await keep(results), await keep(results, 5)
    assert await results.get(first.result_id) == first
    page = await read_page(results, second.result_id, 3, 10)
    assert page.rows == ((3,), (4,))
    assert [one.result_id for one in await results.listed()] == [second.result_id, first.result_id]
    assert await used(spaces, ann) == (before[0] + first.bytes + second.bytes, before[1] + 2)
    part = await results.page(PageRequest(limit=1))
    rest = await results.page(PageRequest(part.next, 1))
    assert [*part.items, *rest.items] == [first, second]
    for one in (first, second):
        await results.remove(one.result_id)
    assert await used(spaces, ann) == before
    assert await results.listed() == []


@pytest.mark.every_database
@pytest.mark.requirement("F4-isolation")
async def test_anothers_result_is_not_there(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    kept = await keep(of(spaces, ann))
    colleague, stranger = await spaces.person(ann.tenant_id, "owner"), await spaces.person()
    for other in (of(spaces, colleague), of(spaces, stranger)):
        for refused in (other.get, other.path, other.remove):
            with pytest.raises(NotFoundError):
                await refused(kept.result_id)
        assert await other.listed() == []
    with pytest.raises(NotFoundError):
        await of(spaces, ann).get("../../etc/passwd")


@pytest.mark.every_database
async def test_what_does_not_fit_is_refused_and_leaves_nothing(spaces: WorkspaceInstallation):
    small = spaces.with_maximum(1_000, 10_000)
    ann = await small.person()
    results = of(small, ann)
    kept = await keep(results)
    assert kept.bytes < 1_000
    with pytest.raises(QuotaExceededError):
        await keep(results, 100)
    assert [one.result_id for one in await results.listed()] == [kept.result_id]
    assert await used(small, ann) == (kept.bytes, (await used(small, ann))[1])


@pytest.mark.every_database
async def test_a_count_of_the_disk_keeps_what_results_take(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    kept = await keep(of(spaces, ann))
    space = await ensure_user_default_workspace(spaces.store, ann.tenant_id, ann.user_id)
    on_disk = spaces.on_disk(space)
    amount = await reconcile(spaces.store, ann.tenant_id, space.workspace_id)
    assert amount.size_bytes == on_disk.size_bytes + kept.bytes
    assert amount.files == on_disk.files + 1
    opened = await open_for_agent(spaces.store, ann.tenant_id, ann.user_id)
    root = await asyncio.to_thread(opened.open_root)
    room = await root.quota.read_usage()
    assert room.held_bytes == on_disk.size_bytes


@pytest.mark.every_database
async def test_the_sweep_takes_what_expired_and_what_a_deleted_workspace_left(
    spaces: WorkspaceInstallation,
):
    ann, bob = await spaces.person(), await spaces.person()
    old, young = await keep(of(spaces, ann)), await keep(of(spaces, ann))
    left = await keep(of(spaces, bob))
    lost = await of(spaces, bob).path(left.result_id)
    before = await used(spaces, ann)
    await spaces.database.write(
        lambda c: c.execute(
            update(table)
            .where(table.c.result_id == old.result_id)
            .values(expires_at=datetime(2020, 1, 1, tzinfo=UTC))
        )
    )
    with pytest.raises(NotFoundError):
        await of(spaces, ann).get(old.result_id)
    space = await ensure_user_default_workspace(spaces.store, bob.tenant_id, bob.user_id)
    await spaces.service.delete(bob, space.workspace_id)
    assert await sweep_results(spaces.database, spaces.base.parent) == 2
    assert (await used(spaces, ann))[0] == before[0] - old.bytes
    assert await of(spaces, ann).listed() == [young]
    files = sorted(Path(spaces.base.parent).glob("people/*/results/*.parquet"))
    assert [file.stem for file in files] == [young.result_id]
    assert not lost.exists()


@pytest.mark.every_database
async def test_a_query_is_run_again_only_where_it_was_asked(spaces: WorkspaceInstallation):
    """The same name of a source may be another source in another project."""
    ann = await spaces.person()
    tenant_wide = of(spaces, ann)
    in_project = replace(tenant_wide, project_id="p1")
    first, second = await keep(tenant_wide), await keep(in_project)
    assert await tenant_wide.is_local(first.result_id)
    assert await in_project.is_local(second.result_id)
    assert not await tenant_wide.is_local(second.result_id)
    assert not await in_project.is_local(first.result_id)
    # Of one of an earlier version nobody knows where it was asked.
    await spaces.store.database.write(
        lambda c: c.execute(
            update(table).where(table.c.result_id == first.result_id).values(is_look=None)
        )
    )
    assert not await tenant_wide.is_local(first.result_id)
