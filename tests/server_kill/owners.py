"""Reads from the database which of several servers works on a run."""

from sqlalchemy import Connection, select

from dataagent_server.db.open_database import open_database
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.db.tables.runs import server_instances as instances
from tests.server.process import ServerProcess


async def owner_and_other(
    database_url: str, session_id: str, first: ServerProcess, second: ServerProcess
) -> tuple[ServerProcess, ServerProcess]:
    """Return the server that works on a session's run, and the other one."""
    process_id = await owner_of(database_url, session_id)
    return (first, second) if process_id == first.process.pid else (second, first)


async def owner_of(database_url: str, session_id: str) -> int:
    """Return the id of the process that works on a session's run."""
    query = (
        select(instances.c.process_id)
        .join(runs, runs.c.owner == instances.c.instance_id)
        .where(runs.c.session_id == session_id)
    )

    def read(connection: Connection) -> int:
        return connection.execute(query).scalar_one()

    database = await open_database(database_url)
    try:
        return await database.read(read)
    finally:
        await database.aclose()
