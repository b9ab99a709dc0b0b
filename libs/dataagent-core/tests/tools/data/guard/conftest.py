"""The four engines with the tiny shop inside, opened once for a module that asks them a lot."""

from collections.abc import Generator
from pathlib import Path

import pytest
from sql_data import ENGINES, Engine
from sql_engines import Shop, open_shop

_SERVICES: dict[Engine, str] = {"postgres": "postgresql_service", "mysql": "mariadb_service"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Others than us write there too: a database server that may write files.
    made = tmp_path_factory.mktemp("guard")
    made.chmod(0o777)
    return made


@pytest.fixture(scope="module", params=ENGINES)
def shop(request: pytest.FixtureRequest, folder: Path) -> Generator[Shop]:
    """Each engine in turn; a test that names its engine asks for `shops`."""
    with _opened(request, folder, request.param) as made:
        yield made


def _opened(request: pytest.FixtureRequest, folder: Path, engine: Engine):
    service = request.getfixturevalue(_SERVICES[engine]) if engine in _SERVICES else None
    place = folder / engine
    place.mkdir()
    place.chmod(0o777)
    return open_shop(engine, place, service)
