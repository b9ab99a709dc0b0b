"""Functions by the name the engine will see, for each dialect; and those that may stand in FROM."""

from dataagent_core.tools.data.data_model import Dialect
from dataagent_core.tools.data.guard.allowed.common_functions import COMMON
from dataagent_core.tools.data.guard.allowed.duckdb_functions import DUCKDB, DUCKDB_TABLES
from dataagent_core.tools.data.guard.allowed.mysql_functions import MYSQL, MYSQL_TABLES
from dataagent_core.tools.data.guard.allowed.other_functions import (
    CLICKHOUSE,
    OTHERS,
    OTHERS_TABLES,
)
from dataagent_core.tools.data.guard.allowed.postgres_functions import POSTGRES, POSTGRES_TABLES
from dataagent_core.tools.data.guard.allowed.sqlite_functions import SQLITE, SQLITE_TABLES


def _names(*lists: str) -> frozenset[str]:
    return frozenset(" ".join(lists).lower().split())


FUNCTIONS: dict[Dialect, frozenset[str]] = {
    "duckdb": _names(COMMON, DUCKDB),
    "postgres": _names(COMMON, POSTGRES),
    "mysql": _names(COMMON, MYSQL),
    "sqlite": _names(COMMON, SQLITE),
    "clickhouse": _names(COMMON, OTHERS, CLICKHOUSE),
    "spark": _names(COMMON, OTHERS),
    "trino": _names(COMMON, OTHERS),
    "snowflake": _names(COMMON, OTHERS),
    "bigquery": _names(COMMON, OTHERS),
}
TABLE_FUNCTIONS: dict[Dialect, frozenset[str]] = {
    "duckdb": _names(DUCKDB_TABLES),
    "postgres": _names(POSTGRES_TABLES),
    "mysql": _names(MYSQL_TABLES),
    "sqlite": _names(SQLITE_TABLES),
    "clickhouse": _names(OTHERS_TABLES),
    "spark": _names(OTHERS_TABLES),
    "trino": _names(OTHERS_TABLES),
    "snowflake": _names(OTHERS_TABLES),
    "bigquery": _names(OTHERS_TABLES),
}
# Table functions the parser knows by meaning: rows made from a list, a range or a JSON text.
TABLE_FUNCTION_NODES = frozenset(
    [
        "GenerateSeries",
        "ExplodingGenerateSeries",
        "Unnest",
        "Explode",
        "Posexplode",
        "PosexplodeOuter",
        "Inline",
        "Stack",
        "Flatten",
        "JSONTable",
        "JSONExtract",
        "JSONBExtract",
        "RegexpSplit",
        "_ExplodeOuter",
        "SplitToTable",
        "GenerateDateArray",
        "GenerateTimestampArray",
        "JSONKeys",
        "JSONArray",
    ]
)
