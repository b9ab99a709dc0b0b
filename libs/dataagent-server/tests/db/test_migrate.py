"""Migrations make what the tables say, once, and keep what the command line wrote."""

import asyncio
import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import (
    Connection,
    Inspector,
    Table,
    UniqueConstraint,
    insert,
    inspect,
    select,
    text,
)

from dataagent_core.errors import StorageError
from dataagent_core.events import TextEvent
from dataagent_core.session import Intent, Outcome
from dataagent_core.session.stores.bundle import open_sqlite
from dataagent_server.db import migrations
from dataagent_server.db.database import Database
from dataagent_server.db.migrate import migrate, migrate_open, require_current, schema_state
from dataagent_server.db.open_database import open_database
from dataagent_server.db.tables import metadata
from dataagent_server.db.tables.data import data_sources
from dataagent_server.stores.checkpoints import open_checkpoints
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter
from dataagent_server.stores.messages import ServerMessageStore
from dataagent_server.stores.session_lists import SessionFilter, SessionLists
from dataagent_server.stores.sessions import ServerSessionStore

pytestmark = pytest.mark.every_database

READING = ("dates", "decimals", "encoding")
SCRIPTS = Path(migrations.__path__[0])
# The scripts that databases in use have run. A new one is added here when it is released.
RELEASED = {
    "0001_initial.py": "2064de0370a648737770e35ebacd57fe24aeb036c4bf2f6e37d6c0b4bea59b63",
}


def expected(table: Table) -> dict[str, Any]:
    unique = [c for c in table.constraints if isinstance(c, UniqueConstraint)]
    return {
        "columns": {c.name: bool(c.nullable) and not c.primary_key for c in table.columns},
        "key": [c.name for c in table.primary_key.columns],
        "unique": {tuple(c.name for c in constraint.columns) for constraint in unique},
        "indexes": {i.name: [c.name for c in i.columns] for i in table.indexes},
        "foreign": {
            (tuple(c.name for c in key.columns), key.referred_table.name)
            for key in table.foreign_key_constraints
        },
    }


def found(inspector: Inspector, table: Table) -> dict[str, Any]:
    name = table.name
    key = inspector.get_pk_constraint(name)["constrained_columns"]
    unique = {tuple(u["column_names"]) for u in inspector.get_unique_constraints(name)}
    indexes = {
        i["name"]: i["column_names"]
        for i in inspector.get_indexes(name)
        # MySQL and PostgreSQL show a unique constraint as an index too, and MySQL makes an index
        # for every foreign key.
        if not i["unique"] and not str(i["name"]).startswith("fk_")
    }
    return {
        # SQLite says that a key it counts up itself may be null.
        "columns": {
            c["name"]: c["nullable"] and c["name"] not in key for c in inspector.get_columns(name)
        },
        "key": key,
        "unique": unique,
        "indexes": indexes,
        "foreign": {
            (tuple(key["constrained_columns"]), key["referred_table"])
            for key in inspector.get_foreign_keys(name)
        },
    }


def tables_of(database: Database) -> list[Table]:
    return [
        table
        for table in metadata.sorted_tables
        if table.info.get("only_on", database.dialect) == database.dialect
    ]


@pytest.mark.requirement("F4-1")
async def test_a_migrated_database_is_what_the_tables_say(database: Database):
    def compare(connection: Connection) -> None:
        inspector = inspect(connection)
        for table in tables_of(database):
            assert found(inspector, table) == expected(table), table.name

    await database.read(compare)


@pytest.mark.parametrize("database_kind", ["mariadb", "postgresql"])
async def test_types_are_those_of_the_tables(database: Database):
    def compare(connection: Connection) -> list[Any]:
        mine = {table.name for table in tables_of(database)}

        def include(_: Any, name: str | None, kind: str, *more: Any) -> bool:
            return kind != "table" or name in mine

        opts = {"compare_type": True, "include_object": include}
        context = MigrationContext.configure(connection, opts=opts)
        return compare_metadata(context, metadata)

    assert await database.read(compare) == []


async def test_migrating_again_changes_nothing(database_url: str):
    await migrate(database_url)
    opened = await open_database(database_url)
    assert await schema_state(opened) == "current"
    await require_current(opened)
    await opened.aclose()


@pytest.mark.parametrize("name", RELEASED)
def test_a_script_that_databases_have_run_stays_as_it_is(name: str):
    found = hashlib.sha256((SCRIPTS / "versions" / name).read_bytes()).hexdigest()
    assert found == RELEASED[name], "write the change as a new script instead"


async def test_a_database_of_the_version_before_keeps_its_sessions(empty_database_url: str):
    def to_first(connection: Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(SCRIPTS))
        command.upgrade(config, "0001")

    opened = await open_database(empty_database_url)
    await opened.write(to_first)
    assert await schema_state(opened) == "outdated"
    sessions = ServerSessionStore(opened, "t")
    made = await sessions.create("ada", "helper", session_id="s", title="First")
    made.metadata["pinned"] = True
    await sessions.update(made)
    await migrate_open(opened)
    await require_current(opened)
    assert await sessions.get("s") == made
    page = await SessionLists(opened, "t").page(SessionFilter(user_id="ada"))
    assert [(i.session, i.title, i.store) for i in page.items] == [(made, "First", None)]
    await opened.aclose()


async def test_sources_of_a_version_before_are_read_as_they_were(empty_database_url: str):
    def to_fifth(connection: Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(SCRIPTS))
        command.upgrade(config, "0005")

    opened = await open_database(empty_database_url)
    await opened.write(to_fifth)
    now = datetime.now(UTC)
    row: dict[str, Any] = {"personal": [], "not_personal": [], "hidden": ["a.b"]}
    row |= {"tenant_id": "t", "project_id": "", "name": "shop", "owner_id": "ada", "kind": "files"}
    row |= {"location": "sealed", "description": "", "read_only_confirmed": False, "version": 1}
    row |= {"created_at": now, "updated_at": now}
    await opened.write(lambda c: c.execute(insert(data_sources).values(**row)))
    await migrate_open(opened)
    found = await opened.read(lambda c: c.execute(select(data_sources)).mappings().one())
    assert {**found} == {**row, "write_url": None, **dict.fromkeys(READING)}
    await opened.aclose()


async def test_of_many_who_start_at_once_one_migrates(empty_database_url: str):
    await asyncio.gather(*(migrate(empty_database_url) for _ in range(4)))
    opened = await open_database(empty_database_url)
    assert await schema_state(opened) == "current"
    await opened.aclose()


async def test_a_server_refuses_a_schema_it_does_not_know(empty_database_url: str):
    opened = await open_database(empty_database_url)
    with pytest.raises(StorageError, match="dataagent-server migrate"):
        await require_current(opened)
    await migrate_open(opened)
    await opened.write(lambda c: c.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    with pytest.raises(StorageError, match="newer DataAgent"):
        await require_current(opened)
    with pytest.raises(StorageError, match="newer DataAgent"):
        await migrate_open(opened)
    await opened.aclose()


async def test_a_file_of_the_command_line_keeps_its_data_and_serves_both(tmp_path: Path):
    file = tmp_path / "dataagent.db"
    call = Intent(call_key="k", tool_name="n", args_hash="h")
    done = Outcome(call_key="k", tool_name="n", payload=b"p", receipt="r")
    async with open_sqlite(file, "local") as cli:
        made = await cli.sessions.create("ada", "helper", session_id="s")
        await cli.messages.save_message("s", "user", "你好\ud800", {"a": 1}, message_id="m")
        first = await cli.log.append("s", "r1", [TextEvent(content="cli")], [call, done])
    await migrate(f"sqlite:///{file}")
    server = await open_database(f"sqlite:///{file}")
    sessions = ServerSessionStore(server, "local")
    log = ServerEventLog(LogWriter(server), "local")
    assert await sessions.get("s") == made
    assert (await ServerMessageStore(server, "local").get_messages("s"))[0].content == "你好\ud800"
    assert await log.read("s") == first
    assert [e.receipt for e in await log.journal("r1")] == ["r"]
    page = await SessionLists(server, "local").page(SessionFilter(user_id="ada"))
    assert [(i.session, i.title) for i in page.items] == [(made, None)]
    # Both faces at the same time, on the same session.
    async with open_checkpoints(server), open_sqlite(file, "local") as cli:
        second = await log.append("s", "r2", [TextEvent(content="server")], [call, done])
        third = await cli.log.append("s", "r3", [TextEvent(content="cli again")])
        fourth = await log.append("s", "r2", [TextEvent(content="server again")])
        assert await cli.log.read("s") == [*first, *second, *third, *fourth]
        assert await log.read("s") == [*first, *second, *third, *fourth]
        assert [e.seq for e in await log.read("s")] == [1, 2, 3, 4]
        assert await cli.log.journal("r2") == await log.journal("r2")
        assert [e.receipt for e in await cli.log.journal("r2")] == ["r"]
        await cli.sessions.create("ada", "helper", session_id="from-cli")
        await sessions.create("ada", "helper", session_id="from-server", title="T")
        assert len(await cli.sessions.list_by_user("ada")) == 3
        assert len(await sessions.list_by_user("ada")) == 3
    await server.aclose()
