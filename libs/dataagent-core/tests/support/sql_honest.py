"""Queries an honest person asks, each written for an engine: the guard must let them all through."""

from sql_data import ENGINES, Engine
from sql_honest_common import COMMON, NOT_SQLITE
from sql_honest_duckdb import DUCKDB
from sql_honest_mysql import MYSQL
from sql_honest_postgres import POSTGRES
from sql_honest_sqlite import SQLITE
from sql_honest_tpch import tpch

_OWN: dict[Engine, tuple[str, ...]] = {
    "postgres": POSTGRES,
    "mysql": MYSQL,
    "duckdb": DUCKDB,
    "sqlite": SQLITE,
}


def honest(engine: Engine) -> tuple[str, ...]:
    """List the queries of one engine."""
    shared = COMMON if engine == "sqlite" else (*COMMON, *NOT_SQLITE)
    return (*tpch(engine), *shared, *_OWN[engine])


HONEST: list[tuple[Engine, str]] = [(engine, sql) for engine in ENGINES for sql in honest(engine)]
