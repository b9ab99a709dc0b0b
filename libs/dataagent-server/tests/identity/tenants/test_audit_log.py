"""Reading the audit log, on each database: newest first, in pages, what fits, one's own."""

from datetime import timedelta

import pytest
from installation import Installation
from sqlalchemy import update

from dataagent_core.errors import DeniedError, ValidationError
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.audit import audit_log
from dataagent_server.identity.auth.principal import Principal, Role
from dataagent_server.identity.tenants.audit_log import AuditFilter, AuditReader, detail_of

T = TenantId("t")
ADMIN = Principal(T, "boss", "admin")


@pytest.fixture
async def reader(installation: Installation) -> AuditReader:
    await installation.tenant("t")
    for number in range(6):
        actor = ("user:ann", "user:ann key:k1", "user:annette")[number % 3]
        action = ("session.create", "session_x.create")[number % 2]
        detail = {"n": number, "odd": "\ud800%_"}
        installation.time.pass_s(60)
        await installation.database.write(
            lambda c, a=actor, b=action, d=detail: installation.people.audit.record(
                c, "t", a, b, "session:s", d
            )
        )
    await installation.tenant("u")
    return AuditReader(installation.database, installation.people.audit)


async def seqs(reader: AuditReader, which: AuditFilter | None = None, **more: int) -> list[int]:
    wish = {"before": None, "limit": 100, **more}
    found = await reader.page(ADMIN, which or AuditFilter(), **wish)  # pyright: ignore[reportArgumentType]
    assert {row.tenant_id for row in found} <= {"t"}
    return [row.seq for row in found]


@pytest.mark.every_database
async def test_pages_go_from_the_newest_to_the_oldest(reader: AuditReader):
    assert await seqs(reader) == [7, 6, 5, 4, 3, 2, 1]
    assert await seqs(reader, limit=3) == [7, 6, 5]
    assert await seqs(reader, before=5, limit=3) == [4, 3, 2]
    (first,) = await reader.page(ADMIN, AuditFilter(), before=3, limit=1)
    assert detail_of(first)["n"] == 0


@pytest.mark.every_database
async def test_every_condition_narrows(installation: Installation, reader: AuditReader):
    ann = AuditFilter(actor="user:ann")
    assert await seqs(reader, ann) == [6, 5, 3, 2]
    assert await seqs(reader, AuditFilter(actor="user:ann key:k1")) == [6, 3]
    assert await seqs(reader, AuditFilter(action="session.create")) == [6, 4, 2]
    assert await seqs(reader, AuditFilter(action="session.*")) == [6, 4, 2]
    assert await seqs(reader, AuditFilter(action="%.*")) == []
    now = installation.time.now()
    recent = AuditFilter(since=now - timedelta(seconds=60))
    assert await seqs(reader, recent) == [7, 6]
    assert await seqs(reader, AuditFilter(until=now)) == [6, 5, 4, 3, 2, 1]
    both = AuditFilter(actor="user:ann", action="session.*", since=now - timedelta(seconds=180))
    assert await seqs(reader, both) == [6]


@pytest.mark.parametrize("role", ["member", "viewer"])
async def test_only_owners_and_admins_read_it(reader: AuditReader, role: Role):
    who = Principal(T, "ann", role)
    narrow = Principal(T, "boss", "owner", frozenset({"chat"}))
    for one in (who, narrow):
        with pytest.raises(DeniedError):
            await reader.page(one, AuditFilter(), before=None, limit=1)
        with pytest.raises(DeniedError):
            await reader.verify(one)


@pytest.mark.every_database
async def test_a_check_says_whether_it_is_whole_and_where_not(
    installation: Installation, reader: AuditReader
):
    good = await reader.verify(ADMIN)
    assert (good.whole, good.broken_at, good.reason) == (True, None, None)
    assert await reader.verify(ADMIN, good.head) == good
    other = await reader.verify(ADMIN, "3:" + "0" * 64)
    assert (other.whole, other.broken_at) == (False, 3)
    with pytest.raises(ValidationError):
        await reader.verify(ADMIN, "nonsense")
    change = update(audit_log).where(audit_log.c.tenant_id == "t", audit_log.c.seq == 4)
    await installation.database.write(lambda c: c.execute(change.values(actor="somebody")))
    bad = await reader.verify(ADMIN)
    assert (bad.whole, bad.broken_at, bad.reason) == (False, 4, "row 4 was changed")
    assert (await reader.verify(Principal(TenantId("u"), "boss", "admin"))).whole
