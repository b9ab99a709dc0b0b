"""Opens Neo4j as the settings say; a server keeps it as long as it runs.

neo4j = await open_neo4j(settings)            # None: the graph is in the server's own database
store = Neo4jGraphStore(neo4j, tenant_id)     # as cheap as it looks
await neo4j.probe()                           # for the readiness of the server
await neo4j.aclose()
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from dataagent_core.config.memory_settings import GraphSettings
from dataagent_core.errors import ConfigurationError

if TYPE_CHECKING:  # the driver is an extra
    from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase


async def open_neo4j(settings: GraphSettings) -> "Neo4jDatabase | None":
    """Connect, sign in and make the indexes; None where no address is set.

    What is wrong with the settings is a `ConfigurationError` that names them.
    """
    if settings.neo4j_uri is None:
        return None
    if find_spec("neo4j") is None:
        raise ConfigurationError(
            "DATAAGENT_NEO4J_URI is set, and its driver is not installed: "
            "pip install 'dataagent-core[neo4j]'."
        )
    if settings.neo4j_password is None:
        raise ConfigurationError(
            "DATAAGENT_NEO4J_URI is set, and DATAAGENT_NEO4J_PASSWORD is not: set it too."
        )
    from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase

    database = Neo4jDatabase.connect(
        settings.neo4j_uri, settings.neo4j_user, settings.neo4j_password.get_secret_value()
    )
    try:
        await database.prepare()
    except BaseException:
        await database.aclose()
        raise
    return database
