"""`serve --sample`: the sample warehouse is made once, and named once."""

from pathlib import Path

import duckdb

from dataagent_server.cli.serve.prepare import prepare_welcome
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.composition import open_current_database
from dataagent_server.data.sources import source_rows
from dataagent_server.identity.auth.principal import operator
from dataagent_server.settings import ServerSettings


async def names(settings: ServerSettings) -> int:
    database = await open_current_database(settings)
    try:
        return await database.read(
            lambda c: source_rows.count(c, operator(DEFAULT_TENANT).tenant_id)
        )
    finally:
        await database.aclose()


async def test_the_sample_is_a_source_of_the_default_tenant_from_the_first_start_on(
    tmp_path: Path,
):
    settings = ServerSettings(home=tmp_path, model="demo:demo")
    told = await prepare_welcome(settings, "http://x", sample=True)
    assert told.sample
    assert await names(settings) == 1
    lines = duckdb.execute(
        f"SELECT count(*) FROM '{tmp_path}/sample/shop/order_lines.parquet'"
    ).fetchall()
    assert lines == [(1_000_909,)]
    await prepare_welcome(settings, "http://x", sample=True)
    assert await names(settings) == 1


async def test_without_the_option_there_is_none(tmp_path: Path):
    settings = ServerSettings(home=tmp_path, model="demo:demo")
    assert not (await prepare_welcome(settings, "http://x")).sample
    assert await names(settings) == 0
    assert not (tmp_path / "sample").exists()
