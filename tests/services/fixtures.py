"""The pytest plugin: `database_url`, `database`, `redis_url`, and the services themselves.

Every test gets a database of its own: a copied file on SQLite, elsewhere, where making tables is
slow, a used database whose rows were deleted. It is on SQLite; what shows something about a
database, such as the statements of a store, is marked `every_database` and runs on all three
(those of features in `make test-full` only).
A service that is not on this machine skips its tests and says so; under
DATAAGENT_REQUIRE_SERVICES=1 that is a failure (see conftest.py).
"""

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator, Callable, Generator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.counts import examples_elsewhere
from tests.services.host import KINDS, ServiceHost, port_of, zygote_at
from tests.services.mariadb import MariaDB
from tests.services.names import unique_name, worker_number
from tests.services.postgresql import PostgreSQL
from tests.services.process import Service, ServiceMissingError
from tests.warm import popen

if TYPE_CHECKING:  # tests of other packages do not pay for the server's imports
    from xdist.workermanage import WorkerController

    from dataagent_server.db.database import Database

DATABASES = ("sqlite", "mariadb", "postgresql")
_ALWAYS_ON_ALL = (
    "tests/server_kill/",
    *(f"libs/dataagent-server/tests/{folder}/" for folder in ("stores", "db")),
    # Features of a database that differ between kinds: locks, order, cascades.
    *(
        f"libs/dataagent-server/tests/runs/test_{name}.py"
        for name in ("run_lists", "many_processes", "markers", "session_remover")
    ),
)
# The address of the service host; the controlling process passes it to its workers.
HOST_ADDRESS = pytest.StashKey[str]()
_HOST = pytest.StashKey[ServiceHost]()


def pytest_configure(config: pytest.Config) -> None:
    """Start the host in the controlling process; a worker gets its address."""
    given: dict[str, str] | None = getattr(config, "workerinput", None)
    if given is not None:
        address = given["service_host"]
    else:
        config.stash[_HOST] = host = ServiceHost()
        address = host.address
    config.stash[HOST_ADDRESS] = address
    popen.find_zygote = cache(lambda: zygote_at(address))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: "WorkerController") -> None:
    """Pass the host's address to a worker of pytest-xdist."""
    node.workerinput["service_host"] = node.config.stash[HOST_ADDRESS]


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the shared servers."""
    if (host := config.stash.get(_HOST, None)) is not None:
        host.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test of a database on SQLite; one marked `every_database` on all three.

    In `make test` that holds for stores, migrations and some of runs; the others are tried on all
    three by `make test-full`. A test that parametrizes `database_kind` itself runs on those.
    """
    if "database_kind" not in metafunc.fixturenames:
        return
    marks = list(metafunc.definition.iter_markers("parametrize"))
    if any("database_kind" in str(mark.args[0]).split(",") for mark in marks):
        return
    wide = metafunc.definition.get_closest_marker("every_database") is not None and (
        os.environ.get("DATAAGENT_TEST_DATABASES") == "all"
        or metafunc.definition.nodeid.startswith(_ALWAYS_ON_ALL)
    )
    metafunc.parametrize("database_kind", DATABASES if wide else DATABASES[:1])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Draw fewer examples of a property on the other databases than on SQLite.

    Properties of isolation say themselves how many they draw on each.
    """
    test: Any = getattr(item, "obj", None)
    test = getattr(test, "__func__", test)
    drawn_from: Any = getattr(item, "callspec", None)
    kind = drawn_from and drawn_from.params.get("database_kind")
    counts_itself = item.nodeid.startswith("libs/dataagent-server/tests/isolation/")
    if counts_itself or kind in {None, DATABASES[0]} or not is_hypothesis_test(test):
        return (yield)
    # Hypothesis takes the settings of a test from this attribute when the test is called.
    given: settings = test._hypothesis_internal_use_settings
    fewer = settings(given, max_examples=examples_elsewhere(given.max_examples))
    test._hypothesis_internal_use_settings = fewer
    try:
        return (yield)
    finally:
        test._hypothesis_internal_use_settings = given


@pytest.fixture(scope="session")
def postgresql_service(request: pytest.FixtureRequest) -> PostgreSQL:
    """The PostgreSQL of this test run, which all workers share."""
    return PostgreSQL(_port(request, "postgresql"))


@pytest.fixture(scope="session")
def mariadb_service(request: pytest.FixtureRequest) -> MariaDB:
    """The MariaDB of this test run, which all workers share."""
    return MariaDB(_port(request, "mariadb"))


@pytest.fixture(scope="session")
def neo4j_uri(request: pytest.FixtureRequest) -> str:
    """The Neo4j of this test run: one database, in which tests keep apart by tenant."""
    return f"bolt://127.0.0.1:{_port(request, 'neo4j')}"


@pytest.fixture(scope="module")
def own_services() -> Generator[Callable[[str], Service]]:
    """Start a server for this module, for tests that stop it; each kind once."""
    started: dict[str, Service] = {}

    def start(name: str) -> Service:
        if name not in started:
            try:
                started[name] = KINDS[name]()
            except ServiceMissingError as missing:
                pytest.skip(str(missing))
        started[name].start()
        return started[name]

    yield start
    for service in started.values():
        service.remove()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    _migrate(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def spare_databases() -> dict[str, list[str]]:
    """The names of migrated databases that no test is using, by kind."""
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


@pytest.fixture
def database_url(database_kind: str, request: pytest.FixtureRequest) -> str:
    """A migrated, empty database of each kind."""
    return request.getfixturevalue(f"{database_kind}_url")


@pytest.fixture
def empty_database_url(
    database_kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Generator[str]:
    """A database of each kind without tables."""
    if database_kind == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    service: PostgreSQL | MariaDB = request.getfixturevalue(f"{database_kind}_service")
    name = unique_name("empty")
    service.create(name)
    yield service.url(name)
    service.drop(name)


@pytest.fixture
async def database(database_url: str) -> "AsyncGenerator[Database]":
    """A migrated, empty database of each kind, open."""
    from dataagent_server.db.open_database import open_database

    opened = await open_database(database_url)
    yield opened
    await opened.aclose()


@pytest.fixture
def redis_url(request: pytest.FixtureRequest) -> Generator[str]:
    """A database for this worker on the Redis of this test run, emptied afterwards."""
    import redis

    url = f"redis://127.0.0.1:{_port(request, 'redis')}/{worker_number()}"
    yield url
    with redis.Redis.from_url(url) as client:
        client.flushdb()


def _port(request: pytest.FixtureRequest, name: str) -> int:
    try:
        return port_of(name, request.config.stash[HOST_ADDRESS])
    except ServiceMissingError as missing:
        pytest.skip(str(missing))


def _lent(service: PostgreSQL | MariaDB, spares: list[str]) -> Generator[str]:
    if spares:
        name = spares.pop()
    else:
        name = unique_name("test")
        service.create(name)
        _migrate(service.url(name))
    yield service.url(name)
    service.empty(name)
    spares.append(name)


def _migrate(url: str) -> None:
    from dataagent_server.db.migrate import migrate

    # The fixtures above serve sync and async tests and are synchronous, so they run their own loop.
    with asyncio.Runner() as runner:
        runner.run(migrate(url))
