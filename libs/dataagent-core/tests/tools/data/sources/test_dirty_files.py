"""Files as people have them: each gives an answer or one clear sentence."""

import datetime as dt
import gzip
import io
import json
import os
import random
from decimal import Decimal
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from asking import asking, table, types

from dataagent_core.errors import QueryFailedError
from tests.counts import rounds

FRUIT = "名字;数量;价格\n苹果;3;1.5\n香蕉;5;2.25\n梨;7;0.5\n"
FRUIT_ROWS = [("苹果", 3, 1.5), ("香蕉", 5, 2.25), ("梨", 7, 0.5)]
ENCODINGS = {
    "gbk": FRUIT.encode("gbk"),
    "utf8_bom": b"\xef\xbb\xbf" + FRUIT.encode(),
    "utf16_le": b"\xff\xfe" + FRUIT.encode("utf-16-le"),
    "utf16_be": b"\xfe\xff" + FRUIT.encode("utf-16-be"),
    "utf16_unmarked": FRUIT.encode("utf-16-le"),
}


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.requirement("F5-dirty-files")
async def test_text_in_another_encoding_is_read_right(tmp_path: Path, name: str):
    path = tmp_path / "fruit.csv"
    path.write_bytes(ENCODINGS[name])
    async with asking(path, tmp_path) as ask:
        assert await ask.rows("SELECT * FROM fruit") == FRUIT_ROWS


async def test_latin_1_is_not_taken_for_chinese(tmp_path: Path):
    path = tmp_path / "namen.csv"
    path.write_bytes("Name|Größe\nMüller|1\nGroß|2\nJosé Núñez|3\n".encode("latin-1"))
    async with asking(path, tmp_path) as ask:
        assert await ask.rows("SELECT * FROM namen") == [
            ("Müller", 1),
            ("Groß", 2),
            ("José Núñez", 3),
        ]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
async def test_each_usual_delimiter_is_found(tmp_path: Path, mark: str):
    path = tmp_path / "a.csv"
    lines = [
        ["city", "people", "since"],
        ["Oslo", "700", "2024-01-31"],
        ["Rome", "2800", "2023-12-01"],
    ]
    path.write_text("\n".join(map(mark.join, lines)) + "\n")
    async with asking(path, tmp_path) as ask:
        assert await ask.rows("SELECT * FROM a") == [
            ("Oslo", 700, dt.date(2024, 1, 31)),
            ("Rome", 2800, dt.date(2023, 12, 1)),
        ]


async def test_quotes_newlines_and_delimiters_inside_a_value_stay_inside(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text('id,note\n1,"two\nlines"\n2,"he said ""no"", twice"\n3,plain\n')
    async with asking(path, tmp_path) as ask:
        assert await ask.rows("SELECT * FROM a") == [
            (1, "two\nlines"),
            (2, 'he said "no", twice'),
            (3, "plain"),
        ]


@pytest.mark.parametrize(
    "titles", ["Sales 2024\n\n", "Sales 2024,,\nmade by Ann,,\n", "Sales 2024,,\n,,\n"]
)
async def test_a_heading_in_row_three_is_found(tmp_path: Path, titles: str):
    path = tmp_path / "a.csv"
    path.write_text(f"{titles}region,amount,day\nnorth,1,2024-01-01\nsouth,2,2024-01-02\n")
    async with asking(path, tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert types(table(found, "a")) == {"region": "VARCHAR", "amount": "BIGINT", "day": "DATE"}
        assert await ask.rows("SELECT sum(amount) FROM a") == [(3,)]


def late_text(path: Path, rows: int) -> None:
    with path.open("w") as file:
        file.write("id,v\n")
        file.writelines(f"{n},{n}\n" for n in range(rows))
        file.write(f"{rows},oops\n")


async def test_text_late_in_a_column_of_numbers_makes_it_text_and_is_noted(tmp_path: Path):
    path = tmp_path / "a.csv"
    late_text(path, 50_000)
    async with asking(path, tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert types(table(found, "a")) == {"id": "BIGINT", "v": "VARCHAR"}
        assert "column v is read as text: 50,000 of its 50,001 values are numbers" in found.notes[0]
        assert await ask.rows("SELECT sum(TRY_CAST(v AS BIGINT)) FROM a") == [(sum(range(50_000)),)]


async def test_what_a_sample_did_not_see_is_learned_from_the_query_and_kept(tmp_path: Path):
    path = tmp_path / "big.csv"
    with path.open("w") as file:
        file.write("id,v,pad\n")
        for n in range(0, 700_000, 1000):
            file.writelines(f"{m},{m},{'x' * 40}\n" for m in range(n, n + 1000))
        file.write("700000,oops,x\n")
    assert path.stat().st_size > 32_000_000
    async with asking(path, tmp_path) as ask:
        before = await ask.engine.catalogue()
        assert types(table(before, "big"))["v"] == "BIGINT"
        ran, rows = await ask.ran("SELECT max(v) AS v, count(*) AS n FROM big WHERE v IS NOT NULL")
        assert rows == [{"v": "oops", "n": 700_001}]
        assert ran.notes == ("column 'v' of big is read as text: 'oops' in line 700002",)
        assert await ask.engine.fingerprint() != before.fingerprint
        with pytest.raises(QueryFailedError, match=r"sum\(VARCHAR\)"):
            await ask.rows("SELECT sum(v) FROM big")
        assert types(table(await ask.engine.catalogue(), "big"))["v"] == "VARCHAR"


async def test_zip_codes_and_long_ids_keep_their_digits(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("zip,id,n\n01067,12345678901234567890,1\n80331,22345678901234567890,0\n")
    async with asking(path, tmp_path) as ask:
        assert await ask.rows("SELECT zip, id, n FROM a ORDER BY n DESC") == [
            ("01067", "12345678901234567890", 1),
            ("80331", "22345678901234567890", 0),
        ]


async def test_two_thousand_columns_are_listed_and_queried(tmp_path: Path):
    path = tmp_path / "wide.csv"
    names = [f"c{n}" for n in range(2_000)]
    lines = [",".join(str(n * row) for n in range(2_000)) for row in range(20)]
    path.write_text("\n".join([",".join(names), *lines]) + "\n")
    async with asking(path, tmp_path) as ask:
        assert len(table(await ask.engine.catalogue(), "wide").columns) == 2_000
        assert await ask.rows("SELECT sum(c1999), sum(c0) FROM wide") == [(1999 * 190, 0)]


async def test_rows_of_different_lengths_are_filled_up_and_noted(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n1,2\n1,2,3\n1,2,3,4\n5\n")
    async with asking(path, tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert found.notes == (
            "a.csv: 2 lines too short are filled up with empty values (line 2: '1,2'; line 5: '5')",
            "a.csv: 1 line too long is cut after the last column (line 4: '1,2,3,4')",
        )
        assert await ask.rows("SELECT a, b, c FROM a") == [
            (1, 2, None),
            (1, 2, 3),
            (1, 2, 3),
            (5, None, None),
        ]


async def test_headings_that_are_empty_long_or_twice_become_names(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text(f'id,id,,{"x" * 5000},"two\nlines",ID\n1,2,3,4,5,6\n1,2,3,4,5,6\n')
    async with asking(path, tmp_path) as ask:
        names = [column.name for column in table(await ask.engine.catalogue(), "a").columns]
        assert len({name.lower() for name in names}) == 6
        assert names[0] == "id"
        assert names[3] == "x" * 128
        assert names[4] == "two lines"
        assert await ask.rows("SELECT * FROM a LIMIT 1") == [(1, 2, 3, 4, 5, 6)]


async def test_a_value_of_five_million_characters_is_read(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text(f"id,note\n1,{'x' * 5_000_000}\n2,y\n")
    async with asking(path, tmp_path) as ask:
        assert await ask.rows("SELECT id, length(note) FROM a") == [(1, 5_000_000), (2, 1)]


async def test_a_zero_byte_inside_a_value_is_only_a_character(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b\nx\x00y,1\nz,2\n")
    async with asking(path, tmp_path) as ask:
        assert await ask.rows("SELECT sum(b), count(a) FROM a") == [(3, 2)]


async def test_a_heading_alone_is_a_table_without_rows(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n")
    async with asking(path, tmp_path) as ask:
        found = table(await ask.engine.catalogue(), "a")
        assert ([c.name for c in found.columns], found.rows) == (["a", "b", "c"], 0)


async def test_packed_text_is_read(tmp_path: Path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "fruit.csv.gz").write_bytes(gzip.compress(FRUIT.encode("gbk")))
    (folder / "log.ndjson.zst").write_bytes(
        pa.compress(b'{"a": 1}\n{"a": 2}\n', codec="zstd", asbytes=True)
    )
    (folder / "broken.csv.gz").write_bytes(b"\x1f\x8b no")
    async with asking(folder, tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert await ask.rows("SELECT * FROM fruit") == FRUIT_ROWS
        assert await ask.rows("SELECT sum(a) FROM log") == [(3,)]
        assert [note for note in found.notes if "broken.csv.gz: it cannot be unpacked" in note]


def cut_parquet() -> bytes:
    into = io.BytesIO()
    pq.write_table(pa.table({"a": list(range(10_000))}), into)
    return into.getvalue()[:5_000]


def cut_xlsx() -> bytes:
    into = io.BytesIO()
    book = openpyxl.Workbook()
    book.worksheets[0].append(["a"])
    book.save(into)
    return into.getvalue()[:2_000]


BROKEN = {
    "empty.csv": (b"", "it is empty"),
    "blank.csv": (b"\n \n\n", "it is empty"),
    "random.csv": (random.Random(1).randbytes(5_000), "it is a binary file"),
    "picture.csv": (b"\x89PNG\r\n\x1a\n" + bytes(100), "it is a binary file"),
    "cut.parquet": (cut_parquet(), "not a whole Parquet file"),
    "text.parquet": (b"a,b\n1,2\n", "not a whole Parquet file"),
    "cut.xlsx": (cut_xlsx(), "not a whole Excel workbook"),
    "bad.json": (b'{"a": [1, 2', "cannot be read as JSON"),
    "none.json": (b"", "it is empty"),
}


async def test_each_unreadable_file_of_a_folder_is_a_note_and_the_others_are_tables(tmp_path: Path):
    folder = tmp_path / "data"
    folder.mkdir()
    for name, (data, _) in BROKEN.items():
        (folder / name).write_bytes(data)
    (folder / "good.csv").write_text("a,b\n1,x\n2,y\n")
    async with asking(folder, tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert [table.name for table in found.tables] == ["good"]
        for name, (_, sentence) in BROKEN.items():
            assert [note for note in found.notes if name in note and sentence in note], (
                name,
                found.notes,
            )
        assert await ask.rows("SELECT sum(a) FROM good") == [(3,)]


@pytest.mark.parametrize("name", BROKEN)
async def test_an_unreadable_file_alone_is_one_sentence(tmp_path: Path, name: str):
    (tmp_path / name).write_bytes(BROKEN[name][0])
    async with asking(tmp_path / name, tmp_path) as ask:
        assert BROKEN[name][1] in (await ask.engine.catalogue()).notes[0]
        with pytest.raises(QueryFailedError) as caught:
            await ask.rows(f"SELECT * FROM {name.partition('.')[0]}")
    assert "Traceback" not in str(caught.value)
    assert len(str(caught.value)) < 400


def workbook(path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Sales Q1"
    sheet.append(["day", "amount", "note", "at", "sure"])
    for n in range(5):
        at = dt.datetime.combine(dt.date(2024, 1, 1), dt.time(n, 30))
        sheet.append([dt.date(2024, 1, n + 1), n * 1.5, f"n{n}", at, n % 2 == 0])
    book.create_sheet("Nothing")
    merged = book.create_sheet("Merged")
    merged["A1"] = "A report"
    merged.merge_cells("A1:C1")
    merged.append(["a", "b", "c"])
    merged.append([1, 2, "x"])
    merged.append([])
    merged.append([4, None, 7])
    chinese = book.create_sheet("数据")
    chinese.append(["城市", "人口"])
    chinese.append(["上海", 2489])
    book.save(path)


async def test_each_sheet_of_a_workbook_is_a_table(tmp_path: Path):
    workbook(tmp_path / "Book 1.xlsx")
    async with asking(tmp_path / "Book 1.xlsx", tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert [t.name for t in found.tables] == ["Book_1_Sales_Q1", "Book_1_Merged", "Book_1_数据"]
        assert types(table(found, "Book_1_Sales_Q1")) == {
            "day": "DATE",
            "amount": "DOUBLE",
            "note": "VARCHAR",
            "at": "TIMESTAMP",
            "sure": "BOOLEAN",
        }
        assert await ask.rows('SELECT max(day), sum(amount), max("at") FROM Book_1_Sales_Q1') == [
            (dt.date(2024, 1, 5), 15.0, dt.datetime.combine(dt.date(2024, 1, 1), dt.time(4, 30)))
        ]
        assert await ask.rows("SELECT * FROM Book_1_Merged") == [(1, 2, "x"), (4, None, "7")]
        assert await ask.rows("SELECT 城市, 人口 FROM Book_1_数据") == [("上海", 2489)]
        notes = " ".join(found.notes)
        assert "sheet 'Nothing': the sheet is empty" in notes
        assert "sheet 'Merged': the heading was found in row 2" in notes


async def test_formulas_that_nobody_calculated_are_said(tmp_path: Path):
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "S"
    sheet.append(["a", "double"])
    for n in range(2, 5):
        sheet.append([n, f"=A{n}*2"])
    book.save(tmp_path / "b.xlsx")
    async with asking(tmp_path / "b.xlsx", tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert "formulas without a value: 3 cells are read as empty" in " ".join(found.notes)
        ran, _ = await ask.ran("SELECT count(double) AS n FROM b_S")
        assert "formulas without a value: 3 cells" in " ".join(ran.notes)


async def test_a_heading_of_two_rows_names_the_columns_together(tmp_path: Path):
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "S"
    sheet.append(["Region", "2024", None, "2025", None])
    sheet.merge_cells("B1:C1")
    sheet.merge_cells("D1:E1")
    sheet.append([None, "Q1", "Q2", "Q1", "Q2"])
    sheet.append(["North", 1, 2, 3, 4])
    sheet.append(["South", 5, 6, 7, 8])
    book.save(tmp_path / "b.xlsx")
    async with asking(tmp_path / "b.xlsx", tmp_path) as ask:
        found = table(await ask.engine.catalogue(), "b_S")
        assert types(found) == {
            "Region": "VARCHAR",
            "2024 Q1": "BIGINT",
            "2024 Q2": "BIGINT",
            "2025 Q1": "BIGINT",
            "2025 Q2": "BIGINT",
        }
        assert await ask.rows('SELECT sum("2025 Q2"), count(*) FROM b_S') == [(12, 2)]


async def test_json_of_every_shape_is_a_table(tmp_path: Path):
    folder = tmp_path / "data"
    folder.mkdir()
    rows = [{"id": n, "who": {"name": f"n{n}", "tags": ["a", "b"]}} for n in range(3)]
    (folder / "list.json").write_text(json.dumps(rows, indent=1))
    (folder / "lines.ndjson").write_text("\n".join(map(json.dumps, rows)))
    (folder / "one.json").write_text(json.dumps({"a": 1, "b": {"c": [1, {"d": 2}]}}))
    deep: object = 1
    for _ in range(200):
        deep = {"x": deep}
    (folder / "deep.json").write_text(json.dumps([{"id": 1, "deep": deep}]))
    (folder / "mixed.jsonl").write_text('{"v": 1}\n{"v": "two"}\n{"v": [3]}\n')
    (folder / "wide.json").write_bytes(json.dumps(rows).encode("utf-16"))
    async with asking(folder, tmp_path) as ask:
        for name in ("list", "lines", "wide"):
            assert await ask.rows(f"SELECT sum(id), max(who.name) FROM {name}") == [(3, "n2")]
        assert await ask.rows("SELECT a FROM one") == [(1,)]
        assert await ask.rows("SELECT id FROM deep") == [(1,)]
        assert await ask.rows("SELECT count(v) FROM mixed") == [(3,)]


async def test_links_pipes_and_devices_are_not_read(tmp_path: Path):
    folder, secret = tmp_path / "data", tmp_path / "secret.csv"
    folder.mkdir()
    secret.write_text("a\nSECRET\n")
    (folder / "good.csv").write_text("a\n1\n")
    (folder / "link.csv").symlink_to(secret)
    os.mkfifo(folder / "pipe.csv")
    (folder / "sub.csv").mkdir()
    async with asking(folder, tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert [table.name for table in found.tables] == ["good"]
        assert found.notes[:2] == (
            "links are not followed: link.csv",
            "not regular files: pipe.csv, sub.csv",
        )


async def test_decimals_dates_and_nulls_of_parquet_come_through(tmp_path: Path):
    day = dt.date(2024, 2, 29)
    given = pa.table({"a": pa.array([Decimal("1.10"), None]), "d": pa.array([day, None])})
    pq.write_table(given, tmp_path / "p.parquet")
    async with asking(tmp_path / "p.parquet", tmp_path) as ask:
        assert await ask.rows("SELECT * FROM p") == [(Decimal("1.10"), day), (None, None)]


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_gigabytes_of_csv_are_listed_counted_and_grouped(tmp_path: Path):
    path = tmp_path / "huge.csv"
    block = "".join(f"{n},{n % 7},{n * 0.5},{'x' * 60}\n" for n in range(100_000)).encode()
    with path.open("wb") as file:
        file.write(b"id,grp,amount,pad\n")
        blocks = 0
        while file.tell() < rounds(500_000_000, soak=4_000_000_000):
            file.write(block)
            blocks += 1
    async with asking(path, tmp_path) as ask:
        found = table(await ask.engine.catalogue(), "huge")
        assert found.rows is not None
        assert abs(found.rows / (blocks * 100_000) - 1) < 0.1
        answer = await ask.rows(
            "SELECT grp, count(*) FROM huge GROUP BY grp ORDER BY grp", timeout_s=300.0
        )
        assert sum(count for _, count in answer) == blocks * 100_000
