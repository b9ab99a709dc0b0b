"""Write `db/migrations/versions/0001_initial.py` from the tables: `python tests/db/write_baseline.py`.

Only for as long as nobody runs a released DataAgent server; after that a change of the tables is a
script of its own, and this file goes. Core makes its tables on SQLite, so there only what the
server adds to them is written.
"""

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import sqlalchemy as sa
from alembic.autogenerate.api import render_python_code
from alembic.operations import ops

from dataagent_core.session.stores.sqlite.schema import migrate
from dataagent_server.db import types
from dataagent_server.db.tables import conversations, metadata

_FILE = Path(__file__).parents[2] / "dataagent_server/db/migrations/versions/0001_initial.py"
_NAMED: dict[int, str] = {
    id(types.Id): "Id",
    id(types.Key): "Key",
    id(types.LongText): "LongText",
    id(types.Blob): "Blob",
    id(conversations.Counting): "Counting",
}
_HEAD = '''"""The first schema: every table the server began with.

Written by `tests/db/write_baseline.py`. On SQLite core has made the tables of conversations
already; there the server's own columns and indexes are added to them.
"""

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.tables.conversations import Counting
from dataagent_server.db.types import AnyText, Blob, Exact, Id, Json, Key, LongText, Moment

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    dialect = op.get_bind().dialect.name
    if dialect == "sqlite":
        _extend_core_tables()
    else:
        _create_core_tables()
    _create_tables()
    if dialect == "mysql":
        _create_mysql_tables()
'''


def render_item(kind: str, item: Any, _: Any) -> str | Literal[False]:
    """Name our own types; leave the rest to Alembic."""
    if kind != "type":
        return False
    if id(item) in _NAMED:
        return _NAMED[id(item)]
    if isinstance(item, types.Exact):
        return f"Exact({item.length})"
    if isinstance(item, types.Moment | types.Json | types.AnyText):
        return f"{type(item).__name__}()"
    return False


def rendered(operations: list[Any]) -> str:
    """Write operations as the body of a function."""
    body = render_python_code(ops.UpgradeOps(ops=operations), render_item=render_item)
    return "\n".join(line for line in body.splitlines() if "# ###" not in line)


def creating(table: sa.Table) -> list[Any]:
    """Make a table with its indexes."""
    indexes = sorted(table.indexes, key=lambda index: str(index.name))
    made = ops.CreateTableOp.from_table(table)
    made.info = {}  # ours alone
    return [made, *map(ops.CreateIndexOp.from_index, indexes)]


def extending(table: sa.Table, core: sa.Inspector) -> list[Any]:
    """Add to a table what core did not give it."""
    columns = {column["name"] for column in core.get_columns(table.name)}
    indexes = {index["name"] for index in core.get_indexes(table.name)}
    added = [
        ops.AddColumnOp(table.name, sa.Column(column.name, column.type, nullable=True))
        for column in table.columns
        if column.name not in columns
    ]
    missing = [index for index in table.indexes if index.name not in indexes]
    missing.sort(key=lambda index: str(index.name))
    return [*added, *map(ops.CreateIndexOp.from_index, missing)]


def functions(name: str, doc: str, tables: list[tuple[str, list[Any]]]) -> str:
    """Write one function per table, and one that calls them."""
    parts = [f"def {name}() -> None:\n" + "".join(f"    {name}_{t}()\n" for t, _ in tables)]
    parts += [
        f"def {name}_{table}() -> None:\n    {rendered(operations).strip()}\n"
        for table, operations in tables
    ]
    return f"# {doc}\n" + "\n\n".join(parts)


def main() -> None:
    """Write the script and format it."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    migrate(connection)
    core = sa.inspect(
        sa.create_engine("sqlite://", creator=lambda: connection, poolclass=sa.StaticPool)
    )
    shared = set(core.get_table_names())
    ordered = metadata.sorted_tables
    mysql = [t for t in ordered if t.info.get("only_on") == "mysql"]
    own = [t for t in ordered if t.name not in shared and t not in mysql]
    both = [t for t in ordered if t.name in shared]
    extended = [(t.name, extending(t, core)) for t in both]
    parts = [
        _HEAD,
        functions(
            "_extend_core_tables",
            "What the server adds to core's tables on SQLite.",
            [(name, operations) for name, operations in extended if operations],
        ),
        functions(
            "_create_core_tables",
            "The same tables where core does not make them.",
            [(t.name, creating(t)) for t in both],
        ),
        functions("_create_tables", "The server's own.", [(t.name, creating(t)) for t in own]),
        functions(
            "_create_mysql_tables",
            "Where no saver of LangGraph's brings its own tables.",
            [(t.name, creating(t)) for t in mysql],
        ),
    ]
    _FILE.write_text("\n\n".join(parts))
    ruff = [sys.executable, "-m", "ruff"]
    for step in (["format"], ["check", "--fix"]):
        subprocess.run([*ruff, *step, "--quiet", str(_FILE)], check=True)


if __name__ == "__main__":
    main()
