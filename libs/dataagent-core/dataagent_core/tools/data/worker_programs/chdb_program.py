"""The program of a worker for ClickHouse's data in a folder, through chdb. Runs in a sandbox.

`readonly` keeps SQL from writing but not from reading files and addresses (`file()`, `url()`), so
there is nothing here to read: no network, and of the host only the folder, at /source, read-only.
The engine wants a few files of its own beside the data; they lie in the worker's folder.
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
_OWN = ("system", "information_schema", "INFORMATION_SCHEMA")
_PLAN_CHARS_MAX = 4_000
# What Arrow has no type for, or only one that hides the meaning.
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
    """Answers for a folder of ClickHouse's."""

    def __init__(self) -> None:
        own = Path("engine")
        own.mkdir(exist_ok=True)
        for part in _PARTS:
            if (_SOURCE / part).is_dir() and not (own / part).exists():
                (own / part).symlink_to(_SOURCE / part)
        self._session = session.Session(str(own.resolve()))
        for setting in ("max_threads = 2", "max_memory_usage = 900000000"):
            self._session.query(f"SET {setting}")
        # Otherwise the order asked for could be lost where a result is looked at from outside.
        self._session.query("SET query_plan_remove_redundant_sorting = 0")
        self._session.query("SET readonly = 1")
        self._pages = CataloguePages()

    def fingerprint(self) -> str:
        """Give a text that changes with the catalogue."""
        found = self._rows(
            "SELECT toString(sum(cityHash64(database, table, name, type, comment, position))) AS h,"
            f" count() AS c FROM system.columns WHERE database NOT IN {_OWN}"
        )[0]
        return f"{found['c']}:{found['h']}"

    def catalogue(self, offset: int, reply_bytes_max: int, columns_max: int) -> dict[str, Any]:
        """Give a page of the catalogue; the first one reads it anew."""
        if offset == 0:
            tables = self._rows(
                "SELECT database AS schema, name, comment, total_rows AS rows, "
                "engine LIKE '%View' AS is_view FROM system.tables "
                f"WHERE database NOT IN {_OWN} AND NOT is_temporary ORDER BY database, name"
            )
            columns = self._rows(
                "SELECT database AS schema, table, name, type, comment, is_in_primary_key AS p "
                f"FROM system.columns WHERE database NOT IN {_OWN} "
                "ORDER BY database, table, position"
            )
            keys = [((c["schema"], c["table"]), c["name"]) for c in columns if c.pop("p")]
            for column in columns:
                column["kind"] = _kind(column["type"])
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
        del timeout_s  # the sandbox is ended when it is late
        began = time.monotonic()
        drop_earlier_files(into)
        answer = self._write(sql, into, rows_max, bytes_max)
        return {**answer, "elapsed_ms": int((time.monotonic() - began) * 1_000)}

    def estimate(self, sql: str, timeout_s: float = 0.0) -> dict[str, Any]:
        """Ask which rows would be read."""
        del timeout_s  # the host ends the process
        read = self._rows(f"EXPLAIN ESTIMATE {sql}")
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
        """Look at the beginning of a table."""
        del rows, timeout_s
        names = ", ".join(_quoted(name) for name in columns)
        sql = f"SELECT {names} FROM {_quoted(schema)}.{_quoted(table)} LIMIT {sample_rows:d}"
        ran = self._write(sql, "sample.parquet", sample_rows, bytes_max)
        return profile_parquet("sample.parquet", is_whole=ran["row_count"] < sample_rows)

    def _write(self, sql: str, into: str, rows_max: int, bytes_max: int) -> dict[str, Any]:
        columns = self._rows(f"DESCRIBE TABLE ({sql})")
        names = make_unique_names(column["name"] for column in columns)
        as_text = [_quoted(c["name"]) for c in columns if _is_text(c["type"])]
        if as_text and names == [c["name"] for c in columns]:
            replaced = ", ".join(f"toString({name}) AS {name}" for name in as_text)
            sql = f"SELECT * REPLACE ({replaced}) FROM ({sql})"
        batches = iter(self._session.send_query(sql, "Arrow").record_batch(rows_per_batch=10_000))
        first = next(batches, None)
        if first is None:
            schema = pa.schema([pa.field(name, pa.string()) for name in names])
            return write_parquet(schema, [], into, rows_max, bytes_max)
        schema = pa.schema([f.with_name(n) for f, n in zip(first.schema, names, strict=True)])

        def renamed() -> Iterator[pa.RecordBatch]:
            yield pa.RecordBatch.from_arrays(first.columns, schema=schema)
            for batch in batches:
                yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)

        return write_parquet(schema, renamed(), into, rows_max, bytes_max)

    def _rows(self, sql: str) -> list[dict[str, Any]]:
        try:
            text = str(self._session.query(sql, "JSONCompact"))
        except RuntimeError as error:
            raise QuestionError(str(error).partition(" (version")[0]) from None
        answer = json.loads(text)
        names = [column["name"] for column in answer["meta"]]
        return [dict(zip(names, row, strict=True)) for row in answer["data"]]


def _kind(type_: str) -> str:
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


def _quoted(name: str) -> str:
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


if __name__ == "__main__":
    serve_questions(ChdbHandler())
