"""What servers can hold comes back exactly, or as text; never as a crash."""

import math
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path

from data_servers import Server, asked

from dataagent_core.tools.data.data_model import QueryLimits


async def test_postgresql_values_come_back_exactly(postgres: Server, tmp_path: Path) -> None:
    postgres.admin("CREATE TYPE mood AS ENUM ('sad', 'ok')")
    engine = postgres.engine()
    ran, (row,) = await asked(
        engine,
        """SELECT true AS b, 9223372036854775807::bigint AS big, 7::smallint AS small,
        1234567890.123456789::numeric(30, 9) AS d, 0.1::float8 AS f, 'NaN'::float8 AS nan,
        DATE '2024-02-29' AS day, TIME '23:59:59.5' AS clock,
        TIMESTAMP '2024-01-02 03:04:05.678901' AS stamp,
        TIMESTAMPTZ '2024-01-02 03:04:05+02' AS moment,
        INTERVAL '1 month 2 days' AS span, '\\x00ff'::bytea AS raw,
        '{"a": [1, null]}'::jsonb AS j, ARRAY[1, NULL, 3] AS list, int4range(1, 5) AS r,
        '6ecd8c99-4036-403d-bf84-cf8400f67836'::uuid AS u, B'101' AS bits, point(1, 2) AS p,
        'sad'::mood AS m, 12.5::money AS cash, '10.0.0.1'::inet AS address, NULL AS nothing,
        'ü 数据 🙂' AS words, ROW(1, 'x') AS pair, 4::oid AS o""",
        tmp_path,
    )
    await engine.aclose()
    assert math.isnan(row.pop("nan"))
    assert row == {
        "b": True,
        "big": 9223372036854775807,
        "small": 7,
        "d": Decimal("1234567890.123456789"),
        "f": 0.1,
        "day": date(2024, 2, 29),
        "clock": time(23, 59, 59, 500_000),
        "stamp": datetime(2024, 1, 2, 3, 4, 5, 678901),  # noqa: DTZ001
        "moment": datetime(2024, 1, 2, 1, 4, 5, tzinfo=UTC),
        "span": "1 mon 2 days",
        "raw": b"\x00\xff",
        "j": '{"a": [1, null]}',
        "list": "{1,NULL,3}",
        "r": "[1,5)",
        "u": "6ecd8c99-4036-403d-bf84-cf8400f67836",
        "bits": "101",
        "p": "(1,2)",
        "m": "sad",
        "cash": "$12.50",
        "address": "10.0.0.1",
        "nothing": None,
        "words": "ü 数据 🙂",
        "pair": "(1,x)",
        "o": 4,
    }
    kinds = {column.name: column.kind for column in ran.columns}
    assert kinds["d"] == "decimal"
    assert kinds["moment"] == "timestamp"
    assert kinds["raw"] == "binary"


async def test_postgresql_values_beyond_a_type_stay_text(postgres: Server, tmp_path: Path) -> None:
    engine = postgres.engine()
    _, rows = await asked(
        engine,
        """SELECT * FROM (VALUES
        ('infinity'::timestamptz, DATE '0044-03-15 BC', TIME '24:00', 'NaN'::numeric,
         TIMESTAMP '10000-01-01', 1e40::numeric),
        (now(), DATE '2024-01-01', TIME '01:00', 1.5, TIMESTAMP '2024-01-01', 1.5))
        AS t (a, b, c, d, e, f)""",
        tmp_path,
    )
    await engine.aclose()
    assert rows[0] == {
        "a": "infinity",
        "b": "0044-03-15 BC",
        "c": "24:00:00",
        "d": "NaN",
        "e": "10000-01-01 00:00:00",
        "f": "1" + "0" * 40,
    }


async def test_a_surprise_after_many_rows_does_not_lose_one(
    postgres: Server, tmp_path: Path
) -> None:
    engine = postgres.engine()
    _, rows = await asked(
        engine,
        """SELECT i, CASE WHEN i = 25000 THEN 'infinity' ELSE TIMESTAMP '2024-01-01' END AS t,
        CASE WHEN i = 25001 THEN 1.12345 ELSE i::numeric END AS n
        FROM generate_series(1, 30000) AS i""",
        tmp_path,
        QueryLimits(rows_max=100_000),
    )
    await engine.aclose()
    assert [row["i"] for row in rows] == list(range(1, 30_001))
    assert rows[24_999]["t"] == "infinity"
    assert rows[25_000]["n"] == Decimal("1.12345")
    assert rows[0]["n"] == 1


async def test_mysql_values_come_back_exactly(mysql: Server, tmp_path: Path) -> None:
    mysql.admin(
        """CREATE TABLE t (big BIGINT UNSIGNED, small TINYINT, d DECIMAL(30, 9), wide DECIMAL(65, 2),
        f DOUBLE, day DATE, clock TIME, stamp DATETIME(6), moment TIMESTAMP(3), y YEAR,
        e ENUM('sad', 'ok'), s SET('a', 'b'), raw VARBINARY(9), blob_ BLOB, j JSON, bits BIT(12),
        g POINT, words VARCHAR(99) CHARACTER SET utf8mb4, long_ LONGTEXT, c CHAR(3)
        CHARACTER SET latin1)""",
        """INSERT INTO t VALUES (18446744073709551615, -7, 1234567890.123456789,
        12345678901234567890123456789012345678901234567890.25, 0.1, '2024-02-29', '23:59:59',
        '2024-01-02 03:04:05.678901', '2024-01-02 03:04:05', 2024, 'sad', 'a,b', x'00ff', x'fe',
        '{"a": 1}', b'101', ST_GeomFromText('POINT(1 2)'), 'ü 数据 🙂', 'x', 'é')""",
    )
    engine = mysql.engine()
    _, (row,) = await asked(engine, "SELECT t.*, NULL AS nothing FROM t", tmp_path)
    await engine.aclose()
    assert row.pop("g").endswith(b"\x00@")
    assert row.pop("moment").utcoffset().total_seconds() == 0
    assert row == {
        "big": 18446744073709551615,
        "small": -7,
        "d": Decimal("1234567890.123456789"),
        "wide": "12345678901234567890123456789012345678901234567890.25",
        "f": 0.1,
        "day": date(2024, 2, 29),
        "clock": time(23, 59, 59),
        "stamp": datetime(2024, 1, 2, 3, 4, 5, 678901),  # noqa: DTZ001
        "y": 2024,
        "e": "sad",
        "s": "a,b",
        "raw": b"\x00\xff",
        "blob_": b"\xfe",
        "j": '{"a": 1}',
        "bits": 5,
        "words": "ü 数据 🙂",
        "long_": "x",
        "c": "é",
        "nothing": None,
    }


async def test_mysql_dates_that_are_none_are_null_and_said(mysql: Server, tmp_path: Path) -> None:
    mysql.admin(
        "CREATE TABLE t (id INT, day DATE, stamp DATETIME, clock TIME)",
        "SET sql_mode = ''",
    )
    mysql.admin(
        "SET STATEMENT sql_mode = '' FOR INSERT INTO t VALUES "
        "(1, '0000-00-00', '0000-00-00 00:00:00', '838:59:59'), (2, '2024-00-15', NULL, '-01:00')"
    )
    engine = mysql.engine()
    ran, rows = await asked(engine, "SELECT * FROM t ORDER BY id", tmp_path)
    await engine.aclose()
    assert rows == [
        {"id": 1, "day": None, "stamp": None, "clock": "838:59:59"},
        {"id": 2, "day": "2024-00-15", "stamp": None, "clock": "-01:00:00"},
    ]
    assert ran.notes == ("Dates 0000-00-00 are given as NULL (columns: day, stamp).",)
