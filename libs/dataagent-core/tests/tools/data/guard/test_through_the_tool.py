"""The same attempts, and honest queries, through `sql_query` itself: guard, process and engine."""

import re
from pathlib import Path

import pytest
from query_services import open_services
from sql_data import TABLES, Engine
from sql_engines import MariaDBShop, PostgreSQLShop, Shop
from sql_evasions import CANARY, EVASIONS
from sql_watch import prepare, seen

from dataagent_core.errors import QueryFailedError, QueryRefusedError
from dataagent_core.tools.data.agent_tools.sql_tools import sql_query
from dataagent_core.tools.data.sources.source_spec import SourceKind, SourceSpec

pytestmark = pytest.mark.timeout(300)

_KINDS: dict[Engine, SourceKind] = {
    "postgres": "postgres",
    "mysql": "mysql",
    "duckdb": "files",
    "sqlite": "sqlite",
}
_HONEST = "SELECT r_name, count(*) AS n FROM region JOIN nation ON n_regionkey = r_regionkey GROUP BY r_name ORDER BY r_name"


def _source(shop: Shop, place: Path) -> SourceSpec:
    """Point at what the shop is in, with the login that may do everything."""
    kind = _KINDS[shop.engine]
    location = str(place / "shop.db")
    if shop.engine == "duckdb":
        location = str(place / "tables")
        (place / "tables").mkdir()
        for table in TABLES:
            shop.connection.execute(  # type: ignore[attr-defined]
                f"COPY {table} TO '{place}/tables/{table}.parquet' (FORMAT parquet)"
            )
    elif isinstance(shop, PostgreSQLShop | MariaDBShop):
        location = shop.url
    return SourceSpec(name="shop", kind=kind, location=location, hidden=("secrets",))


@pytest.mark.requirement("F5-evasions")
async def test_no_attempt_through_the_tool_changes_writes_or_reads_anything(
    shop: Shop, folder: Path, tmp_path: Path
) -> None:
    place = folder / shop.engine
    canary = place / "canary.csv"
    canary.write_text(f"a\n{CANARY}\n")
    canary.chmod(0o644)
    prepare(shop)
    spec = _source(shop, place)
    before = seen(shop, place)
    answered = 0
    async with open_services(tmp_path, spec) as services:
        tool = sql_query.bind(services)
        for evasion in EVASIONS:
            if evasion.engine != shop.engine:
                continue
            sql = evasion.at(str(canary), str(place / "out"))
            try:
                text = str(await tool.ainvoke({"source": "shop", "sql": sql}))
            except (QueryRefusedError, QueryFailedError) as error:
                text = str(error)
            else:
                answered += 1
            assert CANARY not in text, evasion
        # The tool is well after all of them, and answers an honest question.
        honest = str(await tool.ainvoke({"source": "shop", "sql": _HONEST}))
    assert seen(shop, place) == before
    assert answered < 12
    rows = shop.ask(_HONEST)
    told = re.findall(r"^([A-Z ]+),(\d+)$", honest, re.MULTILINE)
    assert told == [(str(name).strip(), str(n)) for name, n in rows]
