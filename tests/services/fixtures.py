"""The pytest plugin: `database_url`, `database`, `redis_url`, and the services themselves.

Every test gets a database of its own: a copied file on SQLite, elsewhere, where making tables is
slow, a used database whose rows were deleted. A service that is not on this machine skips its tests and says so; under
DATAAGENT_REQUIRE_SERVICES=1 that is a failure (see conftest.py).
"""

import asyncio
import itertools
import shutil
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest

from tests.services.mariadb import MariaDB
from tests.services.postgresql import PostgreSQL
from tests.services.process import Service, ServiceMissingError
from tests.services.redis import Redis

if TYPE_CHECKING:  # the tests of the other packages do not pay for the server's imports
    from dataagent_server.db.database import Database

S = TypeVar("S", bound=Service)
DATABASES = ("sqlite", "mariadb", "postgresql")
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def postgresql_service() -> Generator[PostgreSQL]:
    yield from _running(PostgreSQL)


@pytest.fixture(scope="session")
def mariadb_service() -> Generator[MariaDB]:
    yield from _running(MariaDB)


@pytest.fixture(scope="session")
def redis_service() -> Generator[Redis]:
    yield from _running(Redis)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    _migrate(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def spare_databases() -> dict[str, list[str]]:
    """Per kind the names of migrated databases that no test is using."""
    return {"mariadb": [], "postgresql": []}


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    file = tmp_path / "dataagent.db"
    shutil.copyfile(sqlite_template, file)
    return f"sqlite:///{file}"


@pytest.fixture
def postgresql_url(
    postgresql_service: PostgreSQL, spare_databases: dict[str, list[str]]
) -> Generator[str]:
    yield from _lent(postgresql_service, spare_databases["postgresql"])


@pytest.fixture
def mariadb_url(mariadb_service: MariaDB, spare_databases: dict[str, list[str]]) -> Generator[str]:
    yield from _lent(mariadb_service, spare_databases["mariadb"])


@pytest.fixture(params=DATABASES)
def database_kind(request: pytest.FixtureRequest) -> str:
    """One of `DATABASES`; a test that parametrizes it itself runs only on those it names."""
    return request.param


@pytest.fixture
def database_url(database_kind: str, request: pytest.FixtureRequest) -> str:
    """A migrated, empty database of each kind."""
    return request.getfixturevalue(f"{database_kind}_url")


@pytest.fixture
def empty_database_url(
    database_kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Generator[str]:
    """A database of each kind in which nobody has made a table."""
    if database_kind == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    service: PostgreSQL | MariaDB = request.getfixturevalue(f"{database_kind}_service")
    name = f"empty_{next(_numbers)}"
    service.create(name)
    yield service.url(name)
    service.start()
    service.drop(name)


@pytest.fixture
async def database(database_url: str) -> "AsyncGenerator[Database]":
    """A migrated, empty database of each kind, open."""
    from dataagent_server.db.open import open_database

    opened = await open_database(database_url)
    yield opened
    await opened.aclose()


@pytest.fixture
def redis_url(redis_service: Redis) -> Generator[str]:
    import redis

    url = redis_service.url()
    yield url
    redis_service.start()
    with redis.Redis.from_url(url) as client:
        client.flushall()


def _running(kind: type[S]) -> Generator[S]:
    try:
        service = kind()
    except ServiceMissingError as missing:
        pytest.skip(str(missing))
    try:
        service.start()
        yield service
    finally:
        service.remove()


def _lent(service: PostgreSQL | MariaDB, spares: list[str]) -> Generator[str]:
    if spares:
        name = spares.pop()
    else:
        name = f"test_{next(_numbers)}"
        service.create(name)
        _migrate(service.url(name))
    yield service.url(name)
    service.start()
    service.empty(name)
    spares.append(name)


def _migrate(url: str) -> None:
    from dataagent_server.db.migrate import migrate

    # The fixtures above serve tests of both kinds and are synchronous, so they bring a loop.
    with asyncio.Runner() as runner:
        runner.run(migrate(url))
