"""The program of a worker for warehouses that are reached by a SQLAlchemy dialect.

Trino, Snowflake and BigQuery are not tested live; this code is tested on PostgreSQL. They have no
common read-only mode: the login must be one that can only read.
"""

import hashlib
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.reflection import ObjectKind
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool
from sqlalchemy.sql.type_api import TypeEngine

from .question_server import QuestionError, serve_questions
from .server_worker.object_rows import PEEKED_ROWS, make_text_cells, make_text_columns
from .server_worker.sql_catalogue import CataloguePages, build_catalogue
from .server_worker.sql_columns import TextColumn
from .server_worker.sql_failure import hide_secret
from .server_worker.sql_profile import profile_parquet
from .server_worker.sql_stream import Row, stream_to_parquet

_PLAN_CHARS_MAX = 4_000
_SYSTEM = frozenset({"information_schema", "INFORMATION_SCHEMA", "pg_catalog"})
_KINDS: tuple[tuple[type[TypeEngine[Any]], str], ...] = (
    (sa.Boolean, "boolean"),
    (sa.Integer, "integer"),
    (sa.Float, "float"),
    (sa.Numeric, "decimal"),
    (sa.DateTime, "timestamp"),
    (sa.Date, "date"),
    (sa.Time, "time"),
    (sa.Interval, "interval"),
    (sa.LargeBinary, "binary"),
    (sa.JSON, "nested"),
    (sa.ARRAY, "nested"),
)


class AlchemyHandler:
    """Handles the requests for one warehouse."""

    def __init__(self) -> None:
        self._engine: sa.Engine | None = None
        self._pages = CataloguePages()

    def open(self, url: str) -> bool:
        """Keep the address; the first request connects."""
        try:
            self._engine = sa.create_engine(url, poolclass=NullPool)
        except (ImportError, ArgumentError) as error:
            raise QuestionError(str(error)) from None
        return True

    def fingerprint(self) -> str:
        """Hash the tables of the dialect."""
        pages = self._read_catalogue(columns_max=10**9)
        return hashlib.sha256(json.dumps(pages.tables, sort_keys=True).encode()).hexdigest()[:32]

    def catalogue(self, offset: int, reply_bytes_max: int, columns_max: int) -> dict[str, Any]:
        """Return a page of the catalogue; the first page reads it again."""
        if offset == 0:
            self._pages = self._read_catalogue(columns_max)
        return self._pages.page(offset, reply_bytes_max)

    def query(
        self, sql: str, into: str, timeout_s: float, rows_max: int, bytes_max: int
    ) -> dict[str, Any]:
        """Run checked SQL into a Parquet file."""
        del timeout_s  # the host ends a late process
        began = time.monotonic()
        with self._hide_password(), self._open_engine.connect() as connection:
            streaming = connection.execution_options(stream_results=True, max_row_buffer=1_000)

            def run() -> tuple[Sequence[TextColumn], Iterator[Row]]:
                streaming.rollback()
                result = streaming.exec_driver_sql(sql)
                if not result.returns_rows:
                    raise QuestionError("The SQL gives no columns.")
                rows = iter(result)
                first = list(islice(rows, PEEKED_ROWS))
                columns = make_text_columns(list(result.keys()), first)
                return columns, _iterate_and_close(result, make_text_cells(chain(first, rows)))

            answer = stream_to_parquet(run, into, rows_max, bytes_max)
        return {**answer, "elapsed_ms": int((time.monotonic() - began) * 1_000)}

    def estimate(self, sql: str, timeout_s: float = 0.0) -> dict[str, Any]:
        """Return the plan, without rows: every dialect writes them differently."""
        del timeout_s  # the host ends the process
        with self._hide_password(), self._open_engine.connect() as connection:
            lines = [str(row[0]) for row in connection.exec_driver_sql(f"EXPLAIN {sql}")]
        return {"rows": None, "cost": None, "plan": "\n".join(lines)[:_PLAN_CHARS_MAX]}

    def profile(  # noqa: PLR0917 - called by name
        self,
        schema: str,
        table: str,
        columns: list[str],
        rows: int | None,
        sample_rows: int,
        timeout_s: float,
        bytes_max: int,
    ) -> list[dict[str, Any]]:
        """Profile some rows of a table."""
        del rows
        wanted = sa.table(table, *(sa.column(name) for name in columns), schema=schema or None)
        query = (
            sa.select(wanted)
            .limit(sample_rows)
            .compile(self._open_engine, compile_kwargs={"literal_binds": True})
        )
        with tempfile.TemporaryDirectory() as folder:
            into = str(Path(folder, "sample.parquet"))
            ran = self.query(str(query), into, timeout_s, sample_rows, bytes_max)
            return profile_parquet(into, is_whole=ran["row_count"] < sample_rows)

    def warnings(self) -> list[str]:
        """Return none: only the owner knows the rights."""
        return []

    @property
    def _open_engine(self) -> sa.Engine:
        if self._engine is None:
            raise QuestionError("The source was not opened.")
        return self._engine

    def _hide_password(self) -> Any:
        return hide_secret(str(self._open_engine.url.password or ""))

    def _read_catalogue(self, columns_max: int) -> CataloguePages:
        with self._hide_password():
            inspector = sa.inspect(self._open_engine)
            default = inspector.default_schema_name or ""
            relations: list[dict[str, Any]] = []
            columns: list[dict[str, Any]] = []
            primary: list[tuple[tuple[str, str], str]] = []
            for schema in inspector.get_schema_names():
                if schema in _SYSTEM:
                    continue
                views = {*inspector.get_view_names(schema)}
                found = inspector.get_multi_columns(schema=schema, kind=ObjectKind.ANY)
                keys = inspector.get_multi_pk_constraint(schema=schema)
                for (_, name), given in sorted(found.items()):
                    relations.append({"schema": schema, "name": name, "is_view": name in views})
                    columns += [_describe_column(schema, name, column) for column in given]
                for (_, name), key in keys.items():
                    of_key = (key or {}).get("constrained_columns") or []
                    primary += [((schema, name), column) for column in of_key]
        pages = build_catalogue(relations, columns, primary, (), columns_max)
        pages.default_schema = default
        return pages


def _iterate_and_close(result: sa.CursorResult[Any], rows: Iterator[Row]) -> Iterator[Row]:
    with closing(result):
        yield from rows


def _describe_column(schema: str, table: str, column: Any) -> dict[str, Any]:
    type_ = column["type"]
    return {
        "schema": schema,
        "table": table,
        "name": column["name"],
        "type": str(type_),
        "kind": next((kind for known, kind in _KINDS if isinstance(type_, known)), "text"),
        "nullable": bool(column.get("nullable", True)),
        "comment": column.get("comment") or "",
    }


if __name__ == "__main__":
    serve_questions(AlchemyHandler())
