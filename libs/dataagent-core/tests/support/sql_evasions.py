"""Attempts to get past read-only over four engines: nothing may change, nothing outside be read.

Every one must be refused by the guard, or be harmless as regenerated. `sql_engines.py` has engines
to run them on, `sql_watch.py` what must stay as it is.
"""

from sql_evasion import CANARY, Evasion
from sql_evasions_duckdb import DUCKDB
from sql_evasions_mysql import MYSQL
from sql_evasions_postgres import POSTGRES
from sql_evasions_sqlite import SQLITE

EVASIONS: tuple[Evasion, ...] = (*POSTGRES, *MYSQL, *DUCKDB, *SQLITE)

__all__ = ["CANARY", "EVASIONS", "Evasion"]
