"""Results are kept, paged, shown to a model, exported, and forgotten in time."""

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import load_workbook

from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.tools.data.data_model import EngineResult, ResultColumn
from dataagent_core.tools.data.results import FolderResultStore, StoredResult
from dataagent_core.tools.data.results.result_export import ExportFormat, write_export
from dataagent_core.tools.data.results.result_preview import render_preview
from dataagent_core.tools.data.results.result_reader import read_page
from dataagent_core.tools.data.worker_programs.parquet_output import (
    classify_arrow_type,
    write_parquet,
)

ROWS = {
    "name": ["Ann", "Bob, jr.", None],
    "email": ["ann@example.com", "bob@example.com", None],
    "amount": [Decimal("1.50"), Decimal("20.00"), None],
    "day": [dt.date(2025, 1, 31), dt.date(1850, 1, 1), None],
}


async def kept(
    store: FolderResultStore, columns: dict[str, list[Any]] | None = None, **options: Any
) -> StoredResult:
    table = pa.table(columns or ROWS)
    draft = store.draft()
    ran = write_parquet(table.schema, table.to_batches(), str(draft), 10_000, 10**9)
    return await store.keep(
        draft,
        EngineResult(
            columns=tuple(ResultColumn(**column) for column in ran["columns"]),
            row_count=ran["row_count"],
            truncated=options.pop("truncated", ran["truncated"]),
            elapsed_ms=1,
            bytes=ran["bytes"],
        ),
        source="shop",
        dialect="duckdb",
        sql="SELECT 1",
        **options,
    )


async def test_a_kept_result_is_found_again_by_another_store_of_the_same_folder(tmp_path: Path):
    one = await kept(FolderResultStore(tmp_path))
    assert await FolderResultStore(tmp_path).get(one.result_id) == one
    assert [k.result_id for k in await FolderResultStore(tmp_path).listed()] == [one.result_id]


@pytest.mark.parametrize("result_id", ["r_000000000000", "../../etc/passwd", "", "r_1", "R_" * 50])
async def test_a_result_that_is_not_there_is_said_to_be_gone(tmp_path: Path, result_id: str):
    with pytest.raises(NotFoundError, match="Run the query again"):
        await FolderResultStore(tmp_path).get(result_id)


async def test_another_folders_result_is_not_there(tmp_path: Path):
    one = await kept(FolderResultStore(tmp_path / "a"))
    with pytest.raises(NotFoundError):
        await FolderResultStore(tmp_path / "b").path(one.result_id)


async def test_what_has_lived_its_days_is_gone_and_its_files_with_it(tmp_path: Path):
    store = FolderResultStore(tmp_path, days=-1)
    one = await kept(store)
    with pytest.raises(NotFoundError):
        await store.get(one.result_id)
    assert await store.forget_expired() == 1
    assert not list(tmp_path.glob("r_*"))


async def test_a_young_result_survives_the_clearing(tmp_path: Path):
    store = FolderResultStore(tmp_path)
    one = await kept(store)
    assert await store.forget_expired() == 0
    assert (await store.get(one.result_id)).row_count == 3


async def test_pages_put_together_are_the_result(tmp_path: Path):
    store = FolderResultStore(tmp_path)
    one = await kept(store, {"n": list(range(2_500))})
    seen: list[Any] = []
    while page := (await read_page(store, one.result_id, len(seen), 700)).rows:
        seen += [row[0] for row in page]
    assert seen == list(range(2_500))


@pytest.mark.parametrize(("offset", "limit"), [(-1, 10), (0, 0)])
async def test_a_page_that_cannot_be_is_refused(tmp_path: Path, offset: int, limit: int):
    store = FolderResultStore(tmp_path)
    one = await kept(store)
    with pytest.raises(ValidationError):
        await read_page(store, one.result_id, offset, limit)


async def test_a_model_sees_types_counts_and_csv_with_personal_cells_masked(tmp_path: Path):
    store = FolderResultStore(tmp_path)
    one = await kept(store, personal=("email=email",))
    text = render_preview(await read_page(store, one.result_id, 0, 50)).text
    lines = text.splitlines()
    assert lines[0] == (
        f"{one.result_id}: 3 rows. Types: name text, email text, amount decimal, day date"
    )
    assert lines[1] == "name,email,amount,day"
    assert lines[2].startswith("Ann,[email ")
    assert lines[2].endswith(",1.50,2025-01-31")
    assert "example.com" not in text
    assert "masked for you, readable by the person: email" in text


async def test_free_text_is_scrubbed_even_in_columns_nobody_marked(tmp_path: Path):
    store = FolderResultStore(tmp_path)
    one = await kept(store, {"note": ["write to eve@example.com"]})
    text = render_preview(await read_page(store, one.result_id, 0, 50)).text
    assert "eve@example.com" not in text
    assert "write to [email" in text


async def test_a_truncated_result_says_that_totals_prove_nothing(tmp_path: Path):
    store = FolderResultStore(tmp_path)
    one = await kept(store, truncated=True)
    assert (
        "the first 3 rows of more; totals over them prove nothing"
        in render_preview(await read_page(store, one.result_id, 0, 50)).text
    )


async def test_a_preview_ends_with_its_bytes_and_says_where_to_go_on(tmp_path: Path):
    store = FolderResultStore(tmp_path)
    one = await kept(store, {"text": ["x" * 400] * 200})
    shown = render_preview(await read_page(store, one.result_id, 0, 200), bytes_max=4_000)
    assert 0 < shown.rows_shown < 20
    assert f"result_page goes on at offset {shown.rows_shown}" in shown.text


@pytest.mark.parametrize("form", ["csv", "parquet", "xlsx"])
async def test_an_export_holds_the_rows(tmp_path: Path, form: ExportFormat):
    store = FolderResultStore(tmp_path)
    one = await kept(store)
    target = tmp_path / f"out.{form}"
    await write_export(one, await store.path(one.result_id), target, form, for_model=False)
    if form == "csv":
        assert "Bob, jr." in target.read_text()
    elif form == "parquet":
        assert pq.read_table(target).to_pydict() == ROWS
    else:
        rows = list(load_workbook(target).active.iter_rows(values_only=True))  # pyright: ignore[reportOptionalMemberAccess]
        assert rows[0] == ("name", "email", "amount", "day")
        assert rows[1] == ("Ann", "ann@example.com", 1.5, dt.datetime(2025, 1, 31))  # noqa: DTZ001
        assert rows[2][3] == "1850-01-01"  # before Excel's first day


@pytest.mark.parametrize("form", ["csv", "parquet", "xlsx"])
async def test_an_export_of_many_groups_of_rows_holds_them_all_in_order(
    tmp_path: Path, form: ExportFormat
):
    store = FolderResultStore(tmp_path)
    numbers = list(range(9_000))
    columns: dict[str, list[Any]] = {"n": numbers, "xs": [[n] for n in numbers]}
    one = await kept(store, columns, personal=("n=number",))
    source, target = await store.path(one.result_id), tmp_path / f"out.{form}"
    pq.write_table(pa.table(columns), source, row_group_size=1_000)
    await write_export(one, source, target, form, for_model=False)
    if form == "csv":
        lines = target.read_text().splitlines()
        assert (lines[1], lines[-1], len(lines)) == ('0,"[0]"', '8999,"[8999]"', 9_001)
    elif form == "parquet":
        assert pq.read_table(target).to_pydict() == columns
        assert pq.read_metadata(target).num_row_groups > 1
    else:
        rows = list(load_workbook(target).active.iter_rows(values_only=True))  # pyright: ignore[reportOptionalMemberAccess]
        assert (rows[1], rows[-1], len(rows)) == ((0, "[0]"), (8999, "[8999]"), 9_001)


async def test_an_export_that_fails_half_way_leaves_no_file(tmp_path: Path):
    store = FolderResultStore(tmp_path)
    one = await kept(store, {"n": list(range(9_000))})
    source = tmp_path / "damaged.parquet"
    pq.write_table(pa.table({"n": list(range(9_000))}), source, row_group_size=4_500)
    damaged = bytearray(source.read_bytes())
    late = pq.read_metadata(source).row_group(1).column(0)
    start = late.dictionary_page_offset or late.data_page_offset
    damaged[start : start + 200] = b"\xff" * 200
    source.write_bytes(damaged)
    with pytest.raises(OSError, match="header"):
        await write_export(one, source, tmp_path / "out.csv", "csv", for_model=False)
    assert not list(tmp_path.glob("out*"))


async def test_a_masked_export_holds_no_personal_value(tmp_path: Path):
    store = FolderResultStore(tmp_path)
    one = await kept(store, personal=("email=email",))
    target = tmp_path / "out.csv"
    await write_export(one, await store.path(one.result_id), target, "csv", for_model=True)
    assert "example.com" not in target.read_text()


async def test_an_export_for_a_model_is_scrubbed_as_its_preview_is_and_keeps_its_types(
    tmp_path: Path,
):
    store = FolderResultStore(tmp_path)
    rows: dict[str, list[Any]] = {
        "note": ["write to eve@example.com", None],
        "nested": [[{"to": "call 13812345678"}], []],
        "amount": [1, 2],
    }
    one = await kept(store, rows)
    target = tmp_path / "out.parquet"
    await write_export(one, await store.path(one.result_id), target, "parquet", for_model=True)
    shown, text = (
        pq.read_table(target),
        render_preview(await read_page(store, one.result_id, 0, 9)).text,
    )
    assert "eve@" not in text + str(shown)
    assert "1381234" not in text + str(shown)
    assert str(shown["note"][0]) in text
    assert shown.schema.equals(pq.read_table(await store.path(one.result_id)).schema)


async def test_a_formula_in_a_cell_stays_text_in_a_spreadsheet(tmp_path: Path):
    store = FolderResultStore(tmp_path)
    one = await kept(store, {"evil": ['=HYPERLINK("http://x")', "+1", "@x"]})
    target = tmp_path / "out.xlsx"
    await write_export(one, await store.path(one.result_id), target, "xlsx", for_model=False)
    cells = list(load_workbook(target).active.iter_rows(min_row=2))  # pyright: ignore[reportOptionalMemberAccess]
    assert [row[0].data_type for row in cells] == ["s", "s", "s"]


@pytest.mark.parametrize(
    ("type_", "kind"),
    [
        (pa.int8(), "integer"),
        (pa.decimal128(10, 2), "decimal"),
        (pa.float32(), "float"),
        (pa.bool_(), "boolean"),
        (pa.date32(), "date"),
        (pa.timestamp("us", "UTC"), "timestamp"),
        (pa.time64("us"), "time"),
        (pa.list_(pa.int8()), "nested"),
        (pa.binary(), "binary"),
        (pa.dictionary(pa.int8(), pa.string()), "text"),
        (pa.string(), "text"),
    ],
)
def test_every_type_has_a_kind(type_: pa.DataType, kind: str):
    assert classify_arrow_type(type_) == kind


def test_rows_beyond_the_limit_are_cut_and_said_to_be(tmp_path: Path):
    table = pa.table({"n": list(range(100))})
    told = write_parquet(
        table.schema, table.to_batches(max_chunksize=30), str(tmp_path / "x"), 45, 10**9
    )
    assert (told["row_count"], told["truncated"]) == (45, True)
    assert pq.read_table(tmp_path / "x").num_rows == 45


def test_exactly_as_many_rows_as_allowed_are_all_of_them(tmp_path: Path):
    table = pa.table({"n": list(range(60))})
    told = write_parquet(
        table.schema, table.to_batches(max_chunksize=30), str(tmp_path / "x"), 60, 10**9
    )
    assert (told["row_count"], told["truncated"]) == (60, False)


def test_bytes_beyond_the_limit_end_the_rows(tmp_path: Path):
    table = pa.table({"t": ["x" * 1_000] * 100})
    told = write_parquet(
        table.schema, table.to_batches(max_chunksize=10), str(tmp_path / "x"), 10**6, 35_000
    )
    assert told["truncated"]
    assert told["row_count"] == 30


async def test_without_room_what_expired_goes_first_and_then_a_sentence_says_so(tmp_path: Path):
    old = await kept(FolderResultStore(tmp_path, days=-1))
    size = (tmp_path / f"{old.result_id}.parquet").stat().st_size
    store = FolderResultStore(tmp_path, bytes_max=2 * size)
    living = [await kept(store), await kept(store)]
    assert not (tmp_path / f"{old.result_id}.parquet").exists()
    with pytest.raises(ConflictError, match=r"no room for a result.*DATAAGENT_RESULTS_MAX_BYTES"):
        await kept(store)
    assert {one.result_id for one in await store.listed()} == {one.result_id for one in living}
    assert not list((tmp_path / "drafts").iterdir())
    await store.remove(living[0].result_id)
    await kept(store)
