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


def _collect_names(*lists: str) -> frozenset[str]:
    return frozenset(" ".join(lists).lower().split())


FUNCTIONS: dict[Dialect, frozenset[str]] = {
    "duckdb": _collect_names(COMMON, DUCKDB),
    "postgres": _collect_names(COMMON, POSTGRES),
    "mysql": _collect_names(COMMON, MYSQL),
    "sqlite": _collect_names(COMMON, SQLITE),
    "clickhouse": _collect_names(COMMON, OTHERS, CLICKHOUSE),
    "spark": _collect_names(COMMON, OTHERS),
    "trino": _collect_names(COMMON, OTHERS),
    "snowflake": _collect_names(COMMON, OTHERS),
    "bigquery": _collect_names(COMMON, OTHERS),
}
TABLE_FUNCTIONS: dict[Dialect, frozenset[str]] = {
    "duckdb": _collect_names(DUCKDB_TABLES),
    "postgres": _collect_names(POSTGRES_TABLES),
    "mysql": _collect_names(MYSQL_TABLES),
    "sqlite": _collect_names(SQLITE_TABLES),
    "clickhouse": _collect_names(OTHERS_TABLES),
    "spark": _collect_names(OTHERS_TABLES),
    "trino": _collect_names(OTHERS_TABLES),
    "snowflake": _collect_names(OTHERS_TABLES),
    "bigquery": _collect_names(OTHERS_TABLES),
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
