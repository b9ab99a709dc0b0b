"""The port does the same on every database: transactions, errors, trying again."""

import asyncio

import pytest
from sqlalchemy import Connection, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from dataagent_core.errors import ConflictError, StorageError, ValidationError
from dataagent_core.ids import new_id
from dataagent_server.db.database import Database
from dataagent_server.db.open_database import open_database
from dataagent_server.db.tables.conversations import session_counters as counters
from dataagent_server.db.upsert import insert_ignore, upsert

pytestmark = pytest.mark.every_database


def row(name: str, last_seq: int = 0) -> dict[str, object]:
    return {"tenant_id": "t", "session_id": name, "last_seq": last_seq}


def add(connection: Connection, name: str) -> None:
    connection.execute(insert(counters), row(name))


async def names(database: Database) -> list[str]:
    found = select(counters.c.session_id).order_by(counters.c.session_id)
    return await database.read(lambda c: list(c.execute(found).scalars()))


async def test_what_was_written_is_read(database: Database):
    await database.write(lambda c: add(c, "a"))
    assert await names(database) == ["a"]


async def test_a_transaction_that_raises_leaves_nothing(database: Database):
    def fail(connection: Connection) -> None:
        add(connection, "a")
        raise KeyError("b")

    with pytest.raises(KeyError):
        await database.write(fail)
    assert await names(database) == []


async def test_a_duplicate_is_a_conflict_and_leaves_nothing(database: Database):
    await database.write(lambda c: add(c, "taken"))

    def fail(connection: Connection) -> None:
        add(connection, "new")
        add(connection, "taken")

    with pytest.raises(ConflictError):
        await database.write(fail)
    assert await names(database) == ["taken"]


async def test_work_may_answer_for_a_duplicate_itself(database: Database):
    await database.write(lambda c: add(c, "taken"))

    def one_of_two(connection: Connection) -> str:
        try:
            with connection.begin_nested():
                add(connection, "taken")
        except IntegrityError:
            add(connection, "other")
        return "done"

    assert await database.write(one_of_two) == "done"
    assert await names(database) == ["other", "taken"]


async def test_a_value_that_is_no_text_is_refused(database: Database):
    with pytest.raises(ValidationError, match="no character"):
        await database.write(lambda c: add(c, "\ud800"))
    assert await names(database) == []


@pytest.mark.parametrize("database_kind", ["mariadb", "postgresql"])
async def test_a_value_that_is_too_long_is_refused_and_not_cut(database: Database):
    with pytest.raises(ValidationError, match="does not fit"):
        await database.write(lambda c: add(c, "x" * 65))
    assert await names(database) == []


async def test_a_statement_the_database_does_not_know_is_a_storage_error(database: Database):
    with pytest.raises(StorageError, match=r"migrate|doctor"):
        await database.read(lambda c: c.execute(text("SELECT * FROM nowhere")))


async def test_insert_ignore_leaves_what_is_there_and_says_so(database: Database):
    def twice(connection: Connection) -> list[int]:
        return [insert_ignore(connection, counters, row("a", n)) for n in (1, 2)]

    assert await database.write(twice) == [1, 0]
    found = await database.read(lambda c: c.execute(select(counters.c.last_seq)).scalar())
    assert found == 1


async def test_upsert_replaces(database: Database):
    def write(connection: Connection) -> None:
        upsert(connection, counters, [row("a", 1), row("b", 2)])
        upsert(connection, counters, [row("b", 3), row("c", 4)])
        upsert(connection, counters, [])

    await database.write(write)
    found = select(counters.c.last_seq).order_by(counters.c.session_id)
    assert await database.read(lambda c: list(c.execute(found).scalars())) == [1, 3, 4]


@pytest.mark.parametrize("database_kind", ["mariadb", "postgresql"])
async def test_of_two_that_wait_for_each_other_both_finish(database: Database):
    await database.write(lambda c: upsert(c, counters, [row("a"), row("b")]))

    def count_up(order: str):
        def work(connection: Connection) -> None:
            for name in order:
                raised = update(counters).where(counters.c.session_id == name)
                connection.execute(raised.values(last_seq=counters.c.last_seq + 1))

        return work

    await asyncio.gather(*(database.write(count_up("ab" if n % 2 else "ba")) for n in range(6)))
    found = await database.read(lambda c: list(c.execute(select(counters.c.last_seq)).scalars()))
    assert found == [6, 6]


async def test_many_processes_count_up_one_row_without_losing_any(database_url: str):
    opened = [await open_database(database_url) for _ in range(3)]
    name = new_id()
    await opened[0].write(lambda c: add(c, name))
    raised = (
        update(counters)
        .where(counters.c.session_id == name)
        .values(last_seq=counters.c.last_seq + 1)
    )
    await asyncio.gather(*(opened[n % 3].write(lambda c: c.execute(raised)) for n in range(60)))
    found = await opened[0].read(lambda c: c.execute(select(counters.c.last_seq)).scalar())
    assert found == 60
    for database in opened:
        await database.aclose()
