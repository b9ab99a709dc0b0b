from collections.abc import AsyncGenerator, Generator

import pytest
from data_servers import Server

from dataagent_core.tools.data.sources.engines.server_engine import ServerEngine


@pytest.fixture
def postgres(request: pytest.FixtureRequest) -> Generator[Server]:
    server = Server("postgres", request.getfixturevalue("postgresql_service"))
    yield server
    server.drop()


@pytest.fixture
def mysql(request: pytest.FixtureRequest) -> Generator[Server]:
    server = Server("mysql", request.getfixturevalue("mariadb_service"))
    yield server
    server.drop()


@pytest.fixture(params=["postgres", "mysql"])
def server(request: pytest.FixtureRequest) -> Server:
    return request.getfixturevalue(request.param)


@pytest.fixture
async def engine(server: Server) -> AsyncGenerator[ServerEngine]:
    opened = server.engine()
    yield opened
    await opened.aclose()
