"""Time to read the catalogue of 100 tables from PostgreSQL and MariaDB, beside SQLAlchemy's own."""

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).parents[1]))

from dataagent_core.tools.data.sources.engines.engine_openers import make_engine_opener
from dataagent_core.tools.data.sources.source_spec import SourceKind, SourceSpec
from tests.services.mariadb import MariaDBService
from tests.services.postgresql import PostgreSQLService

TABLES = 100
COLUMNS = ", ".join(f"c{n} VARCHAR(20)" for n in range(10))
DRIVERS = {"postgres": "postgresql+psycopg", "mysql": "mysql+pymysql"}


def with_driver(url: str, kind: SourceKind) -> str:
    return f"{DRIVERS[kind]}://{url.split('://', 1)[1]}"


async def ours_s(kind: SourceKind, url: str, scratch: Path) -> float:
    engine = make_engine_opener(scratch)(SourceSpec(name="bench", kind=kind, location=url))
    try:
        await engine.fingerprint()
        began = time.perf_counter()
        found = await engine.catalogue()
        seconds = time.perf_counter() - began
    finally:
        await engine.aclose()
    assert len(found.tables) >= TABLES
    return seconds


def alchemy_s(url: str) -> float:
    engine = sa.create_engine(url)
    began = time.perf_counter()
    sa.MetaData().reflect(engine)
    seconds = time.perf_counter() - began
    engine.dispose()
    return seconds


def measure(kind: SourceKind, url: str, scratch: Path) -> dict[str, float]:
    address = with_driver(url, kind)
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        for n in range(TABLES):
            connection.execute(sa.text(f"CREATE TABLE bench_{n} (id INT PRIMARY KEY, {COLUMNS})"))
    engine.dispose()
    ours = asyncio.run(ours_s(kind, url, scratch))
    theirs = alchemy_s(address)
    return {
        f"{kind}_100_tables_s": ours,
        f"{kind}_sqlalchemy_s": theirs,
        f"{kind}_ratio": ours / theirs,
    }


def main() -> dict[str, float]:
    figures: dict[str, float] = {}
    services: tuple[tuple[SourceKind, type[PostgreSQLService | MariaDBService]], ...] = (
        ("postgres", PostgreSQLService),
        ("mysql", MariaDBService),
    )
    with tempfile.TemporaryDirectory() as name:
        for kind, make in services:
            service = make()
            service.start()
            try:
                service.client.create("bench")
                figures |= measure(kind, service.client.url("bench"), Path(name))
            finally:
                service.stop()
                service.remove()
    return figures


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
