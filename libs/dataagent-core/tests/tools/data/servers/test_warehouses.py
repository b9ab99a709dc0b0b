"""Warehouses: refused until their owner vouches for them; the adapter itself runs on PostgreSQL."""

import importlib.util
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from data_servers import Server

from dataagent_core.errors import ConfigurationError, ValidationError
from dataagent_core.tools.data.sources.engines.warehouse_engine import WarehouseEngine
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.worker_programs.alchemy_program import AlchemyHandler
from dataagent_core.tools.data.worker_programs.question_server import QuestionError

_TRINO = SourceSpec(name="lake", kind="trino", location="trino://ada@h:8080/hive")


@pytest.mark.parametrize("kind", ["trino", "snowflake", "bigquery", "spark"])
def test_a_warehouse_is_refused_until_its_owner_confirms(kind: str) -> None:
    spec = SourceSpec(name="lake", kind=kind, location=f"{kind}://h/d")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigurationError, match="read_only_confirmed"):
        WarehouseEngine(spec)


def test_a_missing_driver_is_named_with_the_way_to_get_it() -> None:
    with pytest.raises(ConfigurationError, match=r"pip install 'trino\[sqlalchemy\]'"):
        WarehouseEngine(replace(_TRINO, read_only_confirmed=True))


@pytest.mark.parametrize(
    ("kind", "location"),
    [
        ("bigquery", "bigquery://project?credentials_path=/root/key.json"),
        ("snowflake", "snowflake://a:b@c/d?private_key_file=/root/key"),
        ("trino", "trino://a@h/d?verify=/etc/passwd"),
        ("trino", "sqlite:////etc/passwd"),
        ("postgres", "postgresql://a@h/d"),
    ],
)
def test_an_address_that_could_do_more_is_refused(kind: str, location: str) -> None:
    with pytest.raises(ValidationError):
        WarehouseEngine(replace(_TRINO, kind=kind, location=location, read_only_confirmed=True))  # pyright: ignore[reportArgumentType]


def test_the_adapter_reads_catalogue_rows_and_profile(postgres: Server, tmp_path: Path) -> None:
    postgres.admin(
        "CREATE TABLE t (id INT PRIMARY KEY, d NUMERIC(9, 2), day DATE, j JSONB, b BOOL, x BYTEA)",
        "INSERT INTO t SELECT i, i / 4.0, DATE '2024-01-01' + i % 300, '{\"a\": 1}', i % 2 = 0, "
        "'\\x00ff' FROM generate_series(1, 12000) AS i",
    )
    handler = AlchemyHandler()
    handler.open(postgres.url().replace("postgresql://", "postgresql+psycopg://"))
    page = handler.catalogue(0, 1_000_000, 1_000)
    (table,) = (table for table in page["tables"] if table["schema"] == "public")
    assert [column["kind"] for column in table["columns"]] == [
        "integer",
        "decimal",
        "date",
        "nested",
        "boolean",
        "binary",
    ]
    assert table["columns"][0]["primary"]
    assert handler.fingerprint() == handler.fingerprint()
    into = str(tmp_path / "rows.parquet")
    answer = handler.query("SELECT * FROM t ORDER BY id", into, 30, 11_000, 10**9)
    assert (answer["row_count"], answer["truncated"]) == (11_000, True)
    assert pq.read_table(into).to_pylist()[2] == {
        "id": 3,
        "d": Decimal("0.75"),
        "day": date(2024, 1, 4),
        "j": '{"a": 1}',
        "b": False,
        "x": b"\x00\xff",
    }
    first, *_ = handler.profile("public", "t", ["id", "d"], None, 100, 30, 10**9)
    assert first["distinct"] == 100
    assert "Scan" in handler.estimate("SELECT * FROM t")["plan"]


if importlib.util.find_spec("pyspark") is not None:  # an extra: no skipped test without it

    @pytest.mark.slow
    @pytest.mark.timeout(300)
    @pytest.mark.filterwarnings("default")  # Spark has some of its own
    def test_the_adapter_of_spark_lists_and_asks_a_local_one(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from dataagent_core.tools.data.worker_programs.spark_program import SparkHandler

        monkeypatch.chdir(tmp_path)
        handler = SparkHandler()
        handler.open(f"spark://{tmp_path}/warehouse")
        handler.spark.sql("CREATE TABLE t (id BIGINT, d DECIMAL(9, 2)) USING parquet")
        handler.spark.sql("INSERT INTO t SELECT id, id / 4 FROM range(5)")
        (table,) = handler.catalogue(0, 1_000_000, 1_000)["tables"]
        assert (table["schema"], table["name"]) == ("default", "t")
        assert [column["kind"] for column in table["columns"]] == ["integer", "decimal"]
        into = str(tmp_path / "out.parquet")
        answer = handler.query("SELECT * FROM t ORDER BY id", into, 60, 3, 10**9)
        assert (answer["row_count"], answer["truncated"]) == (3, True)
        assert pq.read_table(into).to_pylist()[1] == {"id": 1, "d": Decimal("0.25")}
        with pytest.raises(QuestionError, match="nothing"):
            handler.query("SELECT nothing FROM t", into, 60, 3, 10**9)
        assert "Scan" in handler.estimate("SELECT * FROM t")["plan"]
        (profile,) = handler.profile("default", "t", ["id"], None, 5, 60, 10**9)
        assert profile["distinct"] == 5
        handler.spark.stop()
