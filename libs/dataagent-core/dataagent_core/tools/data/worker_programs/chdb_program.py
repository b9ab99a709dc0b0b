"""The program of a worker for ClickHouse's data in a folder, through chdb. Runs in a sandbox.

`readonly` prevents writes, but not reading files and addresses (`file()`, `url()`), so the sandbox
has no network and shows only the folder, at /source, read-only. The engine's own files are in the
worker's folder.
"""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from chdb import session

from .parquet_output import write_parquet
from .question_server import QuestionError, serve_questions
from .server_worker.sql_catalogue import CataloguePages, build_catalogue
from .server_worker.sql_profile import profile_parquet
from .server_worker.sql_stream import make_unique_names
from .worker_folder import drop_earlier_files

_SOURCE = Path("/source")
_PARTS = ("data", "metadata", "store")
_SYSTEM = ("system", "information_schema", "INFORMATION_SCHEMA")
_PLAN_CHARS_MAX = 4_000
# Types that Arrow does not have, or has only with another meaning.
_AS_TEXT = ("Enum", "UUID", "IPv", "Int128", "Int256", "UInt128", "UInt256", "Decimal(", "JSON")
_DECIMAL_DIGITS_MAX = 38
_KINDS = (
    ("Bool", "boolean"),
    ("Int", "integer"),
    ("UInt", "integer"),
    ("Float", "float"),
    ("Decimal", "decimal"),
    ("DateTime", "timestamp"),
    ("Date", "date"),
    ("Interval", "interval"),
    ("Array", "nested"),
    ("Map", "nested"),
    ("Tuple", "nested"),
    ("Nested", "nested"),
    ("JSON", "nested"),
)


class ChdbHandler:
    """Handles the requests for a folder of ClickHouse's data."""

    def __init__(self) -> None:
        own = Path("engine")
        own.mkdir(exist_ok=True)
        for part in _PARTS:
            if (_SOURCE / part).is_dir() and not (own / part).exists():
                (own / part).symlink_to(_SOURCE / part)
        self._session = session.Session(str(own.resolve()))
        for setting in ("max_threads = 2", "max_memory_usage = 900000000"):
            self._session.query(f"SET {setting}")
        # Otherwise the requested order could be lost when a query is wrapped in another.
        self._session.query("SET query_plan_remove_redundant_sorting = 0")
        self._session.query("SET readonly = 1")
        self._pages = CataloguePages()

    def fingerprint(self) -> str:
        """Return a text that changes with the catalogue."""
        found = self._query_rows(
            "SELECT toString(sum(cityHash64(database, table, name, type, comment, position))) AS h,"
            f" count() AS c FROM system.columns WHERE database NOT IN {_SYSTEM}"
        )[0]
        return f"{found['c']}:{found['h']}"

    def catalogue(self, offset: int, reply_bytes_max: int, columns_max: int) -> dict[str, Any]:
        """Return a page of the catalogue; the first page reads it again."""
        if offset == 0:
            tables = self._query_rows(
                "SELECT database AS schema, name, comment, total_rows AS rows, "
                "engine LIKE '%View' AS is_view FROM system.tables "
                f"WHERE database NOT IN {_SYSTEM} AND NOT is_temporary ORDER BY database, name"
            )
            columns = self._query_rows(
                "SELECT database AS schema, table, name, type, comment, is_in_primary_key AS p "
                f"FROM system.columns WHERE database NOT IN {_SYSTEM} "
                "ORDER BY database, table, position"
            )
            keys = [((c["schema"], c["table"]), c["name"]) for c in columns if c.pop("p")]
            for column in columns:
                column["kind"] = _classify_type(column["type"])
                column["nullable"] = "Nullable(" in column["type"]
            for table in tables:
                table["is_view"] = bool(table["is_view"])
                table["rows"] = None if table["rows"] is None else int(table["rows"])
            self._pages = build_catalogue(tables, columns, keys, (), columns_max)
            self._pages.default_schema = "default"
        return self._pages.page(offset, reply_bytes_max)

    def query(
        self, sql: str, into: str, timeout_s: float, rows_max: int, bytes_max: int
    ) -> dict[str, Any]:
        """Run checked SQL into a Parquet file of the worker's folder."""
        del timeout_s  # the host ends a late sandbox
        began = time.monotonic()
        drop_earlier_files(into)
        answer = self._write_query(sql, into, rows_max, bytes_max)
        return {**answer, "elapsed_ms": int((time.monotonic() - began) * 1_000)}

    def estimate(self, sql: str, timeout_s: float = 0.0) -> dict[str, Any]:
        """Estimate the rows that would be read."""
        del timeout_s  # the host ends the process
        read = self._query_rows(f"EXPLAIN ESTIMATE {sql}")
        plan = str(self._session.query(f"EXPLAIN {sql}", "TSVRaw"))
        rows = sum(int(each["rows"]) for each in read)
        return {"rows": rows, "cost": None, "plan": plan[:_PLAN_CHARS_MAX]}

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
        """Profile the first rows of a table."""
        del rows, timeout_s
        names = ", ".join(_quote_name(name) for name in columns)
        sql = (
            f"SELECT {names} FROM {_quote_name(schema)}.{_quote_name(table)} LIMIT {sample_rows:d}"
        )
        ran = self._write_query(sql, "sample.parquet", sample_rows, bytes_max)
        return profile_parquet("sample.parquet", is_whole=ran["row_count"] < sample_rows)

    def _write_query(self, sql: str, into: str, rows_max: int, bytes_max: int) -> dict[str, Any]:
        columns = self._query_rows(f"DESCRIBE TABLE ({sql})")
        names = make_unique_names(column["name"] for column in columns)
        as_text = [_quote_name(c["name"]) for c in columns if _is_text(c["type"])]
        if as_text and names == [c["name"] for c in columns]:
            replaced = ", ".join(f"toString({name}) AS {name}" for name in as_text)
            sql = f"SELECT * REPLACE ({replaced}) FROM ({sql})"
        batches = iter(self._session.send_query(sql, "Arrow").record_batch(rows_per_batch=10_000))
        first = next(batches, None)
        if first is None:
            schema = pa.schema([pa.field(name, pa.string()) for name in names])
            return write_parquet(schema, [], into, rows_max, bytes_max)
        schema = pa.schema([f.with_name(n) for f, n in zip(first.schema, names, strict=True)])

        def rename_batches() -> Iterator[pa.RecordBatch]:
            yield pa.RecordBatch.from_arrays(first.columns, schema=schema)
            for batch in batches:
                yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)

        return write_parquet(schema, rename_batches(), into, rows_max, bytes_max)

    def _query_rows(self, sql: str) -> list[dict[str, Any]]:
        try:
            text = str(self._session.query(sql, "JSONCompact"))
        except RuntimeError as error:
            raise QuestionError(str(error).partition(" (version")[0]) from None
        answer = json.loads(text)
        names = [column["name"] for column in answer["meta"]]
        return [dict(zip(names, row, strict=True)) for row in answer["data"]]


def _classify_type(type_: str) -> str:
    bare = type_
    for wrapper in ("LowCardinality(", "Nullable("):
        bare = bare.removeprefix(wrapper)
    return next((kind for prefix, kind in _KINDS if bare.startswith(prefix)), "text")


def _is_text(type_: str) -> bool:
    bare = type_
    for wrapper in ("LowCardinality(", "Nullable("):
        bare = bare.removeprefix(wrapper)
    if bare.startswith("Decimal("):
        return int(bare.removeprefix("Decimal(").partition(",")[0]) > _DECIMAL_DIGITS_MAX
    return bare.startswith(_AS_TEXT)


def _quote_name(name: str) -> str:
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


if __name__ == "__main__":
    serve_questions(ChdbHandler())
