"""No row of a CSV file vanishes unsaid, whatever lines stand between; Python's csv is the judge."""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from asking import asking, table, types
from csv_planned import planned
from hypothesis import example, given
from hypothesis import strategies as st

HEADING = "date,customer,amount"
GOOD = [f"2025-01-{n % 28 + 1:02},Customer {n},{n}" for n in range(300)]
NAMES = ["date", "customer", "amount"]


LAST_LINES = {
    "2025-02-01,Smith, John,300": (301, "1 line with a separator too many is joined (line 302:"),
    "Total,,,45150": (300, "1 line of a footer is left out (line 302: 'Total,,,45150')"),
    "Total,,45150": (300, "1 line of a footer is left out (line 302: 'Total,,45150')"),
    "合计,,45150": (300, "1 line of a footer is left out"),
    "2025-02-01": (301, "1 line too short is filled up with empty values (line 302:"),
    "\nSource: the shop": (300, "1 line of a footer is left out"),
    "Source: the shop": (300, "1 line of a footer is left out"),
    "2025-02-01,Smith,300,,,": (301, ""),
    "2025-02-01,Smith,300,x": (301, "1 line too long is cut after the last column"),
    '2025-02-01,"Smith,300': (301, ""),
    "\n\n": (300, ""),
}


@pytest.mark.parametrize("line", LAST_LINES)
async def test_a_last_line_that_does_not_fit_takes_no_row_along(tmp_path: Path, line: str):
    path = tmp_path / "sales.csv"
    path.write_text("\n".join([HEADING, *GOOD, line]) + "\n")
    rows, note = LAST_LINES[line]
    async with asking(path, tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert [column.name for column in table(found, "sales").columns] == NAMES
        assert types(table(found, "sales"))["date"] == "DATE"
        assert table(found, "sales").rows == rows
        ran, answer = await ask.ran("SELECT count(*) AS n FROM sales")
        assert answer == [{"n": rows}]
        assert any(note in said for said in found.notes) or not note
        assert any(note in said for said in ran.notes) or not note


async def test_a_heading_that_comes_again_is_no_row(tmp_path: Path):
    path = tmp_path / "sales.csv"
    path.write_text("\n".join([HEADING, *GOOD[:100], HEADING, *GOOD[100:]]) + "\n")
    async with asking(path, tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert types(table(found, "sales")) == {
            "date": "DATE",
            "customer": "VARCHAR",
            "amount": "BIGINT",
        }
        assert await ask.rows("SELECT count(*), sum(amount) FROM sales") == [(300, 44850)]
        assert "1 line that repeats the heading is left out (line 102:" in found.notes[0]


WORDS = st.text("abcdefgh ÄÖé 上海,;'\"\n|", min_size=1, max_size=12).map(str.strip)
TEXTS = WORDS.filter(lambda word: word and not word.isspace()).map(lambda word: f"w{word}")
CELLS = {
    "text": TEXTS,
    "number": st.integers(-9999, 9999).map(str),
    "date": st.dates().map(lambda day: f"{2000 + day.year % 30}-{day.month:02}-{day.day:02}"),
}
FOOTERS = ["Total", "Total,,,,,,9", "合计,5", "\nSource: somebody", "Grand total:,,,1"]


@dataclass
class Written:
    """A file, its rows as they were meant, and the lines put in between."""

    text: str
    heading: list[str]
    rows: list[list[str]]
    odd: int
    separators: str


@st.composite
def files(draw: st.DrawFn) -> Written:
    separator = draw(st.sampled_from([",", ";", "\t", "|"]))
    kinds = ["date", *draw(st.lists(st.sampled_from(list(CELLS)), min_size=1, max_size=6))]
    heading = [f"{kind} {n}" for n, kind in enumerate(kinds)]
    rows = draw(
        st.lists(st.tuples(*(CELLS[kind] for kind in kinds)).map(list), min_size=3, max_size=30)
    )
    # Few lines drawn, many rows: what is rare in a file is so only when it is long.
    rows = rows * draw(st.sampled_from([1, 1, 10]))
    out = io.StringIO()
    end = draw(st.sampled_from(["\n", "\r\n"]))
    writer = csv.writer(out, delimiter=separator, lineterminator=end)
    writer.writerow(heading)
    odd_at = draw(st.sets(st.integers(0, len(rows) - 1), max_size=min(3, len(rows) // 5)))
    odd = 0
    for n, row in enumerate(rows):
        writer.writerow(row)
        if n in odd_at:
            more = draw(st.sampled_from(["short", "long", "blank"]))
            odd += more != "blank"
            plain = [cell if kind != "text" else "x" for cell, kind in zip(row, kinds, strict=True)]
            line = {"short": plain[:1], "long": [*plain, "7", "8"], "blank": []}[more]
            out.write(separator.join(line) + end)
    footer = draw(st.sampled_from(["", "", *FOOTERS]))
    if footer:
        odd += 1
        out.write(
            footer.replace(",", separator).replace("\n", end) + draw(st.sampled_from(["", end]))
        )
    return Written(out.getvalue(), heading, rows, odd, separator)


@given(file=files())
@example(
    file=Written(
        text="date 0,text 1,text 2\n" + "2020-01-01,w;,w;\n" * 3,
        heading=["date 0", "text 1", "text 2"],
        rows=[["2020-01-01", "w;", "w;"]] * 3,
        odd=0,
        separators=",",
    )
)
def test_property_every_row_is_read_and_every_odd_line_is_counted(
    tmp_path_factory: pytest.TempPathFactory, *, file: Written
) -> None:
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    path.write_bytes(file.text.encode())
    reading, [(count,)] = planned(path)
    assert [name for name, _ in reading.columns] == file.heading
    judged = csv.reader(io.StringIO(file.text, newline=""), delimiter=file.separators)
    assert sum(len(row) == len(file.heading) for row in judged) >= len(file.rows)
    left_out = sum(
        int(found[1].replace(",", ""))
        for note in reading.notes
        if (found := re.match(r"([\d,]+) lines? .*left out", note))
    )
    assert count + left_out == len(file.rows) + file.odd
    assert count >= len(file.rows)
