"""A tiny shop for SQL tests: TPC-H's eight tables and three more, the same rows in every engine."""

import json
import random
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal

from dataagent_core.tools.data.data_model import Catalogue, Column, ColumnKind, Table

Engine = Literal["postgres", "mysql", "duckdb", "sqlite"]
ENGINES: tuple[Engine, ...] = ("postgres", "mysql", "duckdb", "sqlite")

# Column types in words of our own; `_TYPES` has each engine's.
TABLES: dict[str, dict[str, str]] = {
    "region": {"r_regionkey": "int", "r_name": "text", "r_comment": "text"},
    "nation": {"n_nationkey": "int", "n_name": "text", "n_regionkey": "int", "n_comment": "text"},
    "supplier": {
        "s_suppkey": "int", "s_name": "text", "s_address": "text", "s_nationkey": "int",
        "s_phone": "text", "s_acctbal": "money", "s_comment": "text",
    },
    "customer": {
        "c_custkey": "int", "c_name": "text", "c_address": "text", "c_nationkey": "int",
        "c_phone": "text", "c_acctbal": "money", "c_mktsegment": "text", "c_comment": "text",
    },
    "part": {
        "p_partkey": "int", "p_name": "text", "p_mfgr": "text", "p_brand": "text",
        "p_type": "text", "p_size": "int", "p_container": "text", "p_retailprice": "money",
        "p_comment": "text",
    },
    "partsupp": {
        "ps_partkey": "int", "ps_suppkey": "int", "ps_availqty": "int", "ps_supplycost": "money",
        "ps_comment": "text",
    },
    "orders": {
        "o_orderkey": "int", "o_custkey": "int", "o_orderstatus": "text", "o_totalprice": "money",
        "o_orderdate": "date", "o_orderpriority": "text", "o_clerk": "text",
        "o_shippriority": "int", "o_comment": "text",
    },
    "lineitem": {
        "l_orderkey": "int", "l_partkey": "int", "l_suppkey": "int", "l_linenumber": "int",
        "l_quantity": "money", "l_extendedprice": "money", "l_discount": "money",
        "l_tax": "money", "l_returnflag": "text", "l_linestatus": "text", "l_shipdate": "date",
        "l_commitdate": "date", "l_receiptdate": "date", "l_shipinstruct": "text",
        "l_shipmode": "text", "l_comment": "text",
    },
    "employees": {
        "id": "int", "name": "text", "manager_id": "int", "dept": "text", "salary": "money",
        "hired": "date", "email": "text",
    },
    "events": {
        "id": "int", "seen_at": "timestamp", "user_id": "int", "kind": "text", "payload": "json",
        "tags": "list",
    },
    "readings": {"day": "date", "sensor": "text", "value": "float"},
}  # fmt: skip
_TYPES: dict[Engine, dict[str, str]] = {
    "postgres": {
        "int": "integer", "text": "text", "money": "numeric(15,2)", "date": "date",
        "timestamp": "timestamp", "json": "jsonb", "list": "text[]", "float": "double precision",
    },
    "mysql": {
        "int": "int", "text": "varchar(200)", "money": "decimal(15,2)", "date": "date",
        "timestamp": "datetime", "json": "longtext", "list": "longtext", "float": "double",
    },
    "duckdb": {
        "int": "integer", "text": "varchar", "money": "decimal(15,2)", "date": "date",
        "timestamp": "timestamp", "json": "json", "list": "varchar[]", "float": "double",
    },
    "sqlite": {
        "int": "integer", "text": "text", "money": "real", "date": "text", "timestamp": "text",
        "json": "text", "list": "text", "float": "real",
    },
}  # fmt: skip
_KINDS: dict[str, ColumnKind] = {
    "int": "integer", "text": "text", "money": "decimal", "date": "date",
    "timestamp": "timestamp", "json": "nested", "list": "nested", "float": "float",
}  # fmt: skip
_SCHEMAS: dict[Engine, str] = {"postgres": "public", "mysql": "", "duckdb": "", "sqlite": ""}


def catalogue(engine: Engine) -> Catalogue:
    """Describe the shop as an engine's reflection would."""
    schema = _SCHEMAS[engine]
    tables = tuple(
        Table(
            name=name,
            schema=schema,
            columns=tuple(
                Column(name=c, type=_TYPES[engine][t], kind=_KINDS[t]) for c, t in columns.items()
            ),
        )
        for name, columns in TABLES.items()
    )
    return Catalogue(dialect=engine, tables=tables, fingerprint="shop", default_schema=schema)


def create_statements(engine: Engine) -> Iterator[str]:
    for name, columns in TABLES.items():
        listed = ", ".join(f"{c} {_TYPES[engine][t]}" for c, t in columns.items())
        charset = " DEFAULT CHARSET utf8mb4" if engine == "mysql" else ""
        yield f"CREATE TABLE {name} ({listed}){charset}"


def rows(engine: Engine) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """Give every table's rows, in values the engine's driver takes."""
    for name, made in _rows().items():
        types = list(TABLES[name].values())
        yield (
            name,
            [tuple(_value(engine, t, v) for t, v in zip(types, r, strict=True)) for r in made],
        )


def _value(engine: Engine, kind: str, value: Any) -> Any:
    if value is None:
        return None
    if kind == "json" or (kind == "list" and engine in {"mysql", "sqlite"}):
        return json.dumps(value)
    if engine == "sqlite" and isinstance(value, Decimal):
        return float(value)
    if engine == "sqlite" and isinstance(value, datetime):
        return value.isoformat(" ")
    if engine == "sqlite" and isinstance(value, date):
        return value.isoformat()
    return value


_REGIONS = ("AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST")
_NATIONS = (
    "ALGERIA ARGENTINA BRAZIL CANADA EGYPT ETHIOPIA FRANCE GERMANY INDIA INDONESIA IRAN IRAQ JAPAN "
    "JORDAN KENYA MOROCCO MOZAMBIQUE PERU CHINA ROMANIA SAUDI_ARABIA VIETNAM RUSSIA "
    "UNITED_KINGDOM UNITED_STATES"
)
_NATION_REGIONS = (0, 1, 1, 1, 4, 0, 3, 3, 2, 2, 4, 4, 2, 4, 0, 0, 0, 1, 2, 3, 4, 2, 3, 3, 1)
_COLOURS = ("green", "forest", "almond", "blue", "misty")
_TYPES_OF_PART = (
    "PROMO BRUSHED STEEL", "ECONOMY ANODIZED STEEL", "STANDARD POLISHED BRASS",
    "MEDIUM POLISHED TIN", "LARGE BRUSHED BRASS",
)  # fmt: skip
_SEGMENTS = ("BUILDING", "AUTOMOBILE", "MACHINERY", "HOUSEHOLD", "FURNITURE")
_PRIORITIES = ("1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW")
_MODES = ("MAIL", "SHIP", "AIR", "AIR REG", "TRUCK", "RAIL")
_CONTAINERS = ("SM CASE", "MED BOX", "LG CASE", "MED BAG", "JUMBO PKG")


def _money(low: int, high: int, rng: random.Random) -> Decimal:
    return Decimal(rng.randint(low * 100, high * 100)) / 100


def _rows() -> dict[str, list[tuple[Any, ...]]]:
    rng = random.Random(5)
    nations = [n.replace("_", " ") for n in _NATIONS.split()]
    made: dict[str, list[tuple[Any, ...]]] = {name: [] for name in TABLES}
    made["region"] = [(n, name, "far away") for n, name in enumerate(_REGIONS)]
    made["nation"] = [
        (n, name, _NATION_REGIONS[n], "it's\na nation") for n, name in enumerate(nations)
    ]
    for n in range(1, 16):
        comment = "slow Customer of many Complaints" if n % 7 == 0 else "steady"
        made["supplier"].append(
            (n, f"Supplier#{n:09}", f"{n} Road", (n * 7) % 25, f"{10 + n}-555-{n:04}",
             _money(-900, 9000, rng), comment)
        )  # fmt: skip
    for n in range(1, 41):
        nation = (n * 3) % 25
        made["customer"].append(
            (n, f"Customer#{n:09}", f"{n} Street", nation, f"{nation + 10}-555-{n:04}",
             _money(-900, 9000, rng), _SEGMENTS[n % 5], "quick brown" if n % 4 else "special offers"),
        )  # fmt: skip
    for n in range(1, 61):
        made["part"].append(
            (n, f"{_COLOURS[n % 5]} part {n}", f"Manufacturer#{n % 5 + 1}", f"Brand#{n % 5 + 1}{n % 3 + 1}",
             _TYPES_OF_PART[n % 5], n % 50 + 1, _CONTAINERS[n % 5], _money(900, 2000, rng), "fine"),
        )  # fmt: skip
        for k in range(3):
            made["partsupp"].append(
                (n, (n + k * 5) % 15 + 1, rng.randint(1, 9999), _money(1, 1000, rng), "in stock")
            )
    for n in range(1, 121):
        ordered = date(1992, 1, 1) + timedelta(days=rng.randint(0, 2400))
        made["orders"].append(
            (n, rng.randint(1, 30), "FOP"[n % 3], _money(1000, 400000, rng), ordered,
             _PRIORITIES[n % 5], f"Clerk#{n % 9:09}", 0,
             "special requests" if n % 6 == 0 else "usual"),
        )  # fmt: skip
        for line in range(1, rng.randint(2, 7)):
            part = rng.randint(1, 60)
            shipped = ordered + timedelta(days=rng.randint(1, 120))
            made["lineitem"].append(
                (n, part, (part + rng.randint(0, 2) * 5) % 15 + 1, line, _money(1, 50, rng),
                 _money(900, 90000, rng), Decimal(rng.randint(0, 10)) / 100,
                 Decimal(rng.randint(0, 8)) / 100, "RAN"[rng.randint(0, 2)], "OF"[line % 2], shipped,
                 ordered + timedelta(days=rng.randint(30, 90)),
                 shipped + timedelta(days=rng.randint(1, 30)),
                 ("DELIVER IN PERSON", "NONE")[line % 2], rng.choice(_MODES), "by hand"),
            )  # fmt: skip
    for n in range(1, 21):
        boss = None if n == 1 else n // 3 + (n < 3)
        made["employees"].append(
            (n, f"Person {n}", boss, ("sales", "ops", "研发")[n % 3], _money(2000, 9000, rng),
             date(2015 + n % 9, n % 12 + 1, n), f"p{n}@example.com" if n % 5 else None),
        )  # fmt: skip
    for n in range(1, 41):
        payload = {
            "amount": n * 1.5,
            "page": f"/p/{n % 4}",
            "ok": n % 3 == 0,
            "items": list(range(n % 4)),
        }
        made["events"].append(
            (n, datetime(2024, 1 + n % 6, 1 + n % 27, n % 24, n % 60), n % 7,  # noqa: DTZ001 - no zone
             ("view", "buy", "leave")[n % 3], payload, [f"t{k}" for k in range(n % 4)]),
        )  # fmt: skip
    for n in range(60):
        value = None if n % 11 == 0 else round(rng.gauss(20, 5), 3)
        made["readings"].append((date(2024, 3, 1) + timedelta(days=n // 3), "abc"[n % 3], value))
    return made
