"""An open Neo4j for a test; the server itself is shared by all (`tests/services`)."""

from collections.abc import AsyncGenerator

import pytest
from pydantic import SecretStr

from dataagent_core.config.settings import Settings
from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase
from dataagent_core.memory.graph.neo4j.open_neo4j import open_neo4j
from tests.services.neo4j.service import PASSWORD, USER


@pytest.fixture
def graph_settings(neo4j_uri: str) -> Settings:
    return Settings(neo4j_uri=neo4j_uri, neo4j_user=USER, neo4j_password=SecretStr(PASSWORD))


@pytest.fixture
async def neo4j_database(graph_settings: Settings) -> AsyncGenerator[Neo4jDatabase]:
    database = await open_neo4j(graph_settings)
    assert database is not None
    yield database
    await database.aclose()
