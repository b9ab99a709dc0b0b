"""Keys of repeated requests on each database."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import Connection

from dataagent_core.errors import DataAgentError
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.tables.runs import idempotency_keys
from dataagent_server.runs.idempotency import RepeatedError, key_for
from dataagent_server.runs.idempotency.idempotency_rows import (
    KEY_LIFE_S,
    EarlierRequest,
    claim,
    find_known,
    settle,
)

pytestmark = pytest.mark.every_database

T = TenantId("t")
KEY = key_for(T, "u", "one", "chat", {"message": "hi"})


async def test_a_key_is_claimed_once_and_keeps_its_first_answer(database: Database):
    assert await database.read(lambda c: find_known(c, KEY)) is None
    await database.write(lambda c: claim(c, KEY, run_id="r"))
    assert await database.read(lambda c: find_known(c, KEY)) == EarlierRequest("r", None)
    for answer in ({"n": 1}, {"n": 2}):
        await database.write(lambda c, answer=answer: settle(c, KEY, answer))
    assert await database.read(lambda c: find_known(c, KEY)) == EarlierRequest("r", {"n": 1})


async def test_a_key_that_is_taken_undoes_the_transaction(database: Database):
    await database.write(lambda c: claim(c, KEY, run_id="first"))
    other = key_for(T, "u", "two", "chat", {})

    def work(connection: Connection) -> None:
        claim(connection, other, run_id="second")
        claim(connection, KEY, run_id="second")

    with pytest.raises(RepeatedError):
        await database.write(work)
    assert await database.read(lambda c: find_known(c, KEY)) == EarlierRequest("first", None)
    assert await database.read(lambda c: find_known(c, other)) is None


async def test_of_many_at_once_one_wins(database: Database):
    async def attempt(number: int) -> bool:
        try:
            await database.write(lambda c: claim(c, KEY, run_id=f"r{number}"))
        except RepeatedError:
            return False
        return True

    won = await asyncio.gather(*(attempt(number) for number in range(8)))
    assert sum(won) == 1
    known = await database.read(lambda c: find_known(c, KEY))
    assert known is not None
    assert known.run_id == f"r{won.index(True)}"


async def test_another_request_under_the_same_key_is_refused(database: Database):
    await database.write(lambda c: claim(c, KEY))
    for other in (
        key_for(T, "u", "one", "chat", {"message": "ho"}),
        key_for(T, "u", "one", "session", {"message": "hi"}),
    ):
        with pytest.raises(DataAgentError) as refused:
            await database.read(lambda c, other=other: find_known(c, other))
        assert refused.value.code == "VALIDATION_ERROR"


async def test_a_key_is_one_persons_in_one_tenant(database: Database):
    await database.write(lambda c: claim(c, KEY, run_id="r"))
    for tenant, user in ((TenantId("other"), "u"), (T, "other")):
        key = key_for(tenant, user, "one", "chat", {"message": "hi"})
        assert await database.read(lambda c, key=key: find_known(c, key)) is None
        await database.write(lambda c, key=key: claim(c, key))


async def test_a_key_is_forgotten_after_a_day(database: Database):
    await database.write(lambda c: claim(c, KEY, run_id="old"))

    def age(connection: Connection) -> None:
        row = connection.execute(idempotency_keys.select()).mappings().one()
        created_at = row["created_at"] - timedelta(seconds=KEY_LIFE_S + 1)
        connection.execute(idempotency_keys.update().values(created_at=created_at))

    await database.write(age)
    assert await database.read(lambda c: find_known(c, KEY)) is None
    await database.write(lambda c: claim(c, KEY, run_id="new"))
    assert await database.read(lambda c: find_known(c, KEY)) == EarlierRequest("new", None)
