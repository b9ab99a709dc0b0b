"""Which of several servers works on a run: the database knows."""

from sqlalchemy import Connection, select

from dataagent_server.db.open import open_database
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.db.tables.runs import server_instances as instances
from tests.server.process import ServerProcess


async def owner_and_other(
    database_url: str, session_id: str, first: ServerProcess, second: ServerProcess
) -> tuple[ServerProcess, ServerProcess]:
    """Return the server that works on a session's run, and the other one."""
    query = (
        select(instances.c.process_id)
        .join(runs, runs.c.owner == instances.c.instance_id)
        .where(runs.c.session_id == session_id)
    )

    def read(connection: Connection) -> int:
        return connection.execute(query).scalar_one()

    database = await open_database(database_url)
    try:
        process_id = await database.read(read)
    finally:
        await database.aclose()
    return (first, second) if process_id == first.process.pid else (second, first)
