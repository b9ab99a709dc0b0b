"""The program of a worker for Spark: a cluster, Spark Connect, or a local one over a folder.

Spark has no read-only mode and usually no rights of its own, so the owner must confirm that its
data can only be read.
"""

import hashlib
import json
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pyspark.errors import PySparkException  # pyright: ignore[reportMissingImports]
from pyspark.sql import SparkSession  # pyright: ignore[reportMissingImports]

from .parquet_output import write_parquet
from .question_server import QuestionError, serve_questions
from .server_worker.sql_catalogue import CataloguePages, build_catalogue
from .server_worker.sql_profile import profile_parquet

_PLAN_CHARS_MAX = 4_000
_ROWS_A_BATCH = 10_000
_KINDS = (
    (("boolean",), "boolean"),
    (("tinyint", "smallint", "int", "bigint"), "integer"),
    (("decimal",), "decimal"),
    (("float", "double"), "float"),
    (("timestamp",), "timestamp"),
    (("date",), "date"),
    (("interval",), "interval"),
    (("binary",), "binary"),
    (("array", "map", "struct"), "nested"),
)


class SparkHandler:
    """Handles the requests for one Spark."""

    def __init__(self) -> None:
        self._url = ""
        self._session: SparkSession | None = None
        self._pages = CataloguePages()

    def open(self, url: str) -> bool:
        """Keep the address; the first request starts Spark, which is slow."""
        self._url = url
        return True

    def fingerprint(self) -> str:
        """Hash Spark's catalogue."""
        tables = self._read_catalogue(10**9).tables
        return hashlib.sha256(json.dumps(tables, sort_keys=True).encode()).hexdigest()[:32]

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
        try:
            found = self.spark.sql(sql).limit(rows_max + 1).toArrow()
        except PySparkException as error:
            raise QuestionError(str(error).partition("\n")[0]) from None
        batches = found.to_batches(max_chunksize=_ROWS_A_BATCH)
        answer = write_parquet(found.schema, batches, into, rows_max, bytes_max)
        return {**answer, "elapsed_ms": int((time.monotonic() - began) * 1_000)}

    def estimate(self, sql: str, timeout_s: float = 0.0) -> dict[str, Any]:
        """Return the plan."""
        del timeout_s  # the host ends the process
        lines = self.spark.sql(f"EXPLAIN {sql}").collect()
        return {"rows": None, "cost": None, "plan": str(lines[0][0])[:_PLAN_CHARS_MAX]}

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
        names = ", ".join(_quote_name(name) for name in columns)
        with tempfile.TemporaryDirectory() as folder:
            into = str(Path(folder, "sample.parquet"))
            source = f"{_quote_name(schema)}.{_quote_name(table)}"
            ran = self.query(
                f"SELECT {names} FROM {source}", into, timeout_s, sample_rows, bytes_max
            )
            return profile_parquet(into, is_whole=ran["row_count"] < sample_rows)

    def warnings(self) -> list[str]:
        """Return none: only the owner knows the rights."""
        return []

    @property
    def spark(self) -> SparkSession:
        """The session, started on first use."""
        if self._session is None:
            builder = SparkSession.builder.appName("dataagent")
            parts = urlsplit(self._url)
            if parts.scheme == "sc":
                builder = builder.remote(self._url)
            elif parts.netloc:
                builder = builder.master(self._url)
            else:
                builder = builder.master("local[2]").config("spark.ui.enabled", "false")
                builder = builder.config("spark.sql.warehouse.dir", parts.path)
            session = builder.getOrCreate()
            session.conf.set("spark.sql.session.timeZone", "UTC")
            self._session = session
        return self._session

    def _read_catalogue(self, columns_max: int) -> CataloguePages:
        catalog = self.spark.catalog
        relations: list[dict[str, Any]] = []
        columns: list[dict[str, Any]] = []
        for database in catalog.listDatabases():
            for table in catalog.listTables(database.name):
                name = f"{_quote_name(database.name)}.{_quote_name(table.name)}"
                relations.append(
                    {
                        "schema": database.name,
                        "name": table.name,
                        "comment": table.description or "",
                        "is_view": table.tableType == "VIEW",
                    }
                )
                columns += [
                    {
                        "schema": database.name,
                        "table": table.name,
                        "name": column.name,
                        "type": column.dataType,
                        "kind": _classify_type(column.dataType),
                        "nullable": column.nullable,
                        "comment": column.description or "",
                    }
                    for column in catalog.listColumns(name)
                ]
        pages = build_catalogue(relations, columns, (), (), columns_max)
        pages.default_schema = catalog.currentDatabase()
        return pages


def _classify_type(type_: str) -> str:
    return next((kind for words, kind in _KINDS if type_.startswith(words)), "text")


def _quote_name(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


if __name__ == "__main__":
    serve_questions(SparkHandler())
