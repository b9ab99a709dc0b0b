"""A chain that was changed, cut or reordered says where; on every database."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from installation import Installation
from sqlalchemy import Connection, delete, select, update

from dataagent_core.errors import ConfigurationError
from dataagent_core.secrets import Keyring, SecretKey
from dataagent_server.db.database import Database
from dataagent_server.db.tables.audit import audit_heads, audit_log
from dataagent_server.identity.audit import AuditTrail, audit_rows
from dataagent_server.identity.audit.chain import (
    GENESIS,
    AuditRow,
    ChainHead,
    canonical,
    first_break,
    seal_head,
    seal_row,
)

pytestmark = pytest.mark.every_database

ONE = SecretKey("one", b"1" * 32)
RING = Keyring([ONE])
AT = datetime(2026, 11, 15, tzinfo=UTC)
Facts = list[tuple[str, str, str, dict[str, str]]]
texts = st.text(max_size=20)
facts = st.lists(
    st.tuples(texts, texts, texts, st.dictionaries(texts, texts, max_size=3)),
    min_size=1,
    max_size=8,
)


def chain(facts: Facts) -> tuple[list[AuditRow], ChainHead]:
    made: list[AuditRow] = []
    for seq, (actor, action, resource, detail) in enumerate(facts, 1):
        prev = made[-1].mac if made else GENESIS
        row = AuditRow("t", seq, AT, actor, action, resource, canonical(detail), "one", prev)
        made.append(seal_row(RING, row))
    return made, seal_head(RING, ChainHead("t", len(made), made[-1].mac, "one"))


@given(facts)
def test_a_chain_that_was_left_alone_is_whole(facts: Facts):
    made, head = chain(facts)
    assert first_break(RING, "t", made, head) is None


@given(facts, st.data())
def test_an_edited_row_is_found(facts: Facts, data: st.DataObject):
    made, head = chain(facts)
    at = data.draw(st.integers(0, len(made) - 1))
    field = data.draw(st.sampled_from(["actor", "action", "resource", "detail", "mac", "prev"]))
    changed = replace(made[at], **{field: getattr(made[at], field) + "x"})
    broken = first_break(RING, "t", [*made[:at], changed, *made[at + 1 :]], head)
    assert broken is not None
    assert broken.seq <= at + 2


@given(facts, st.data())
def test_a_deleted_row_is_found_also_the_last(facts: Facts, data: st.DataObject):
    made, head = chain(facts)
    at = data.draw(st.integers(0, len(made) - 1))
    broken = first_break(RING, "t", [*made[:at], *made[at + 1 :]], head)
    assert broken is not None
    assert broken.seq == at + 1


@given(facts, st.data())
def test_swapped_rows_are_found_even_with_their_numbers_exchanged(
    facts: Facts, data: st.DataObject
):
    made, head = chain(facts)
    if len(made) < 2:
        return
    i, j = sorted(
        data.draw(st.lists(st.integers(0, len(made) - 1), min_size=2, max_size=2, unique=True))
    )
    swapped = list(made)
    swapped[i], swapped[j] = replace(made[j], seq=i + 1), replace(made[i], seq=j + 1)
    assert first_break(RING, "t", swapped, head) is not None


@given(facts, st.data())
def test_a_cut_off_tail_is_found_even_if_the_head_is_moved_back(facts: Facts, data: st.DataObject):
    made, head = chain(facts)
    left = data.draw(st.integers(0, len(made) - 1))
    assert first_break(RING, "t", made[:left], head) is not None
    mac = made[left - 1].mac if left else GENESIS
    assert first_break(RING, "t", made[:left], replace(head, seq=left, mac=mac)) is not None
    assert first_break(RING, "t", made[:left], None) is not None


@given(facts)
def test_a_chain_moved_to_another_tenant_is_found(facts: Facts):
    made, head = chain(facts)
    moved = [replace(row, tenant_id="u") for row in made]
    assert first_break(RING, "u", moved, replace(head, tenant_id="u")) is not None
    assert first_break(RING, "u", made, head) is not None


@given(facts)
def test_without_the_key_no_row_can_be_made(facts: Facts):
    made, head = chain(facts)
    forger = Keyring([SecretKey("one", b"x" * 32)])
    assert first_break(RING, "t", [seal_row(forger, made[0]), *made[1:]], head) is not None
    assert first_break(Keyring([SecretKey("two", b"2" * 32)]), "t", made, head) is not None


async def filled(database: Database, count: int = 5) -> AuditTrail:
    trail = AuditTrail(RING)
    for number in range(count):
        await database.write(
            lambda c, n=number: trail.record(
                c, "t", "user:ann", "thing.do", f"thing:{n}", {"n": n, "é": "\x00\ud800"}
            )
        )
    return trail


async def test_what_is_recorded_is_read_back_whole(database: Database):
    trail = await filled(database)
    assert await database.read(lambda c: trail.verify(c, "t")) is None
    read = await database.read(lambda c: list(audit_rows.rows_of(c, "t", after=2)))
    assert [row.seq for row in read] == [3, 4, 5]


@pytest.mark.parametrize("damage", ["edit", "delete", "swap", "truncate", "head", "gone", "extra"])
@pytest.mark.requirement("F4-8")
async def test_damage_in_the_database_is_found(database: Database, damage: str):
    trail = await filled(database)
    row = audit_log.c

    def work(connection: Connection) -> None:
        match damage:
            case "edit":
                connection.execute(update(audit_log).where(row.seq == 3).values(actor="user:eve"))
            case "delete":
                connection.execute(delete(audit_log).where(row.seq == 3))
            case "swap":
                for old, new in ((2, 99), (3, 2), (99, 3)):
                    connection.execute(update(audit_log).where(row.seq == old).values(seq=new))
            case "truncate":
                connection.execute(delete(audit_log).where(row.seq > 3))
            case "head":
                kept = connection.execute(select(audit_log).where(row.seq == 3)).mappings().one()
                connection.execute(delete(audit_log).where(row.seq > 3))
                connection.execute(update(audit_heads).values(seq=3, mac=kept["mac"]))
            case "gone":
                connection.execute(delete(audit_heads))
            case _:
                last = connection.execute(select(audit_log).where(row.seq == 5)).mappings().one()
                connection.execute(audit_log.insert().values({**last, "seq": 6}))

    await database.write(work)
    assert await database.read(lambda c: trail.verify(c, "t")) is not None


async def test_people_who_record_at_once_make_one_chain(database: Database):
    trail = AuditTrail(RING)

    async def record(number: int) -> None:
        for _ in range(5):
            await database.write(
                lambda c: trail.record(c, "t", f"user:{number}", "thing.do", "thing:1")
            )

    await asyncio.gather(*(record(number) for number in range(8)))
    assert await database.read(lambda c: trail.verify(c, "t")) is None
    assert await database.read(lambda c: audit_rows.last_seq(c, "t")) == 40


async def test_a_change_that_fails_leaves_no_row(database: Database):
    trail = await filled(database, 1)

    def work(connection: Connection) -> None:
        trail.record(connection, "t", "user:ann", "thing.do", "thing:2")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await database.write(work)
    assert await database.read(lambda c: audit_rows.last_seq(c, "t")) == 1
    assert await database.read(lambda c: trail.verify(c, "t")) is None


async def test_a_replaced_key_goes_on_with_the_chain(database: Database):
    await filled(database, 2)
    newer = AuditTrail(Keyring([SecretKey("two", b"2" * 32), ONE]))
    await database.write(lambda c: newer.record(c, "t", "user:ann", "thing.do", "thing:3"))
    assert await database.read(lambda c: newer.verify(c, "t")) is None


async def test_another_key_file_is_refused_at_the_start(database: Database):
    await filled(database, 1)
    stranger = AuditTrail(Keyring([SecretKey("two", b"2" * 32)]))
    with pytest.raises(ConfigurationError, match="'one'"):
        await database.read(stranger.require_known_keys)


async def test_a_long_detail_is_kept_as_a_digest(database: Database):
    trail = AuditTrail(RING)
    row = await database.write(
        lambda c: trail.record(c, "t", "a" * 300, "x", "y", {"text": "long" * 10_000})
    )
    assert len(row.detail) < 200
    assert len(row.actor) == 255


async def test_every_change_of_people_is_on_record(installation: Installation):
    tenant = await installation.tenant("acme")
    ann = await installation.person(tenant, "ann", "owner", password="correct horse")
    made = await installation.people.keys.create(ann, "laptop")
    await installation.people.keys.revoke(ann, made.key.key_id)
    project = await installation.people.projects.create(ann, "Sales")
    await installation.people.projects.delete(ann, project.project_id)
    await installation.people.credentials.put(ann, "openai", key="sk-very-secret-key-1234")
    found = await installation.database.read(lambda c: list(audit_rows.rows_of(c, tenant)))
    assert [row.action for row in found] == [
        "tenant.create", "member.add", "key.create", "key.revoke", "project.create",
        "project.delete", "credential.change",
    ]  # fmt: skip
    for secret in ("correct horse", made.secret, "sk-very-secret"):
        assert secret not in repr(found)
    assert (
        await installation.database.read(lambda c: installation.people.audit.verify(c, tenant))
        is None
    )
