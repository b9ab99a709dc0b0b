"""Numbers and dates are read as they were meant, and what can be read in two ways is said."""

import datetime as dt
from pathlib import Path

import duckdb
import pytest
from asking import asking, table, types
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.tools.data.worker_programs.csv_reader.csv_values import ValueChoice
from dataagent_core.tools.data.worker_programs.duckdb_worker.duckdb_csv import read_csv_plan
from dataagent_core.tools.data.worker_programs.duckdb_worker.table_read_plan import ReadLessons
from dataagent_core.tools.data.worker_programs.question_server import QuestionError


def read(
    path: Path, wanted: ValueChoice | None = None
) -> tuple[list[tuple[object, ...]], list[str]]:
    connection = duckdb.connect()
    spare = str(path.with_suffix(".spare"))
    reading = read_csv_plan(
        connection, str(path), "", spare, ReadLessons(), wanted=wanted or ValueChoice()
    )
    return connection.execute(reading.select).fetchall(), reading.all_notes


WRITTEN = {
    "12.5%": 12.5,
    "1.234,56": 1234.56,
    "1,234.56": 1234.56,
    "1 200": 1200,
    "1\u00a0200,5": 1200.5,
    "1'200.50": 1200.5,
    "$5.25": 5.25,
    "7,50 €": 7.5,
    "(300)": -300,
    "-$4": -4,
    "¥1,200.50": 1200.5,
    "1,5": 1.5,
    "1.5e3": 1500.0,
    "0,5": 0.5,
}


@pytest.mark.parametrize("text", WRITTEN)
def test_a_number_as_people_write_it_is_a_number(tmp_path: Path, text: str):
    path = tmp_path / "a.csv"
    path.write_text(f'id;v\n1;"{text}"\n2;\n3;n/a\n')
    rows, _ = read(path)
    assert rows == [(1, WRITTEN[text]), (2, None), (3, None)]


def test_values_that_are_no_numbers_leave_text_and_the_way_to_the_numbers(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("id;v\n" + "1;1.234,5\n" * 20 + "2;unknown\n")
    rows, notes = read(path)
    assert rows[-1] == (2, "unknown")
    assert "column v is read as text: 20 of its 21 values are numbers; " in notes[0]
    expression = notes[0].partition("numbers; ")[2].removesuffix(" gives them")
    [(value,)] = duckdb.sql(f"SELECT {expression} FROM (SELECT '1.234,5' AS v)").fetchall()
    assert value == 1234.5


@pytest.mark.parametrize(
    ("value", "what"),
    [("31/01/2024", "dates (day, month, year)"), ("01/31/2024", "dates (month, day, year)"),
     ("2024-01-31", "dates")],
)  # fmt: skip
def test_the_dates_in_a_column_of_text_are_counted_and_the_way_to_them_is_said(
    tmp_path: Path, value: str, what: str
):
    path = tmp_path / "a.csv"
    path.write_text("id,at\n" + f"1,{value}\n" * 20 + "2,soon\n3,\n")
    rows, notes = read(path)
    assert rows[-2:] == [(2, "soon"), (3, None)]
    assert f"column at is read as text: 20 of its 21 values are {what}; " in notes[0]
    expression = notes[0].partition(f"{what}; ")[2].removesuffix(" gives them")
    found = duckdb.sql(f"SELECT {expression} FROM (SELECT '{value}' AS at)").fetchall()
    assert found == [(dt.date(2024, 1, 31),)]


def test_several_currencies_are_not_made_one_number(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("id;v\n1;$5\n2;€7\n")
    assert read(path)[0] == [(1, "$5"), (2, "€7")]


MONTHS = "day,v\n" + "".join(f"{month:02}/01/2024,{month}\n" for month in range(1, 13))
DAYS = "day,v\n" + "".join(f"{day:02}/03/2024,{day}\n" for day in range(1, 13))


@pytest.mark.parametrize("value", ["2024-01-31", "2024-01-31 10:20:00"])
def test_a_word_for_nothing_leaves_a_column_its_type(tmp_path: Path, value: str):
    path = tmp_path / "a.csv"
    path.write_text(f"id,at\n1,{value}\n2,n/a\n3,{value}\n")
    rows, notes = read(path)
    assert [str(at)[:19] for _, at in rows] == [value, "None", value]
    assert notes == ["column at: n/a is read as no value"]


async def test_dates_that_fit_two_ways_are_said_with_every_answer_that_uses_them(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text(MONTHS)
    async with asking(path, tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert types(table(found, "a"))["day"] == "DATE"
        assert "column day can be read in two ways" in found.notes[0]
        ran, _ = await ask.ran("SELECT max(day) AS d FROM a")
        assert "column day can be read in two ways" in ran.notes[0]
        ran, rows = await ask.ran("SELECT sum(v) AS s FROM a")
        assert (ran.notes, rows) == ((), [{"s": 78}])


@pytest.mark.parametrize("text", [MONTHS, DAYS])
def test_the_other_reading_is_one_step_away(tmp_path: Path, text: str):
    path = tmp_path / "a.csv"
    path.write_text(text)
    by_option = {order: read(path, ValueChoice(dates=order)) for order in ("dmy", "mdy")}
    assert by_option["dmy"][0] != by_option["mdy"][0]
    words = {"dmy": "day, month, year", "mdy": "month, day, year"}
    first = text.splitlines()[1].partition(",")[0]
    for order, (_, notes) in by_option.items():
        assert notes == [f"column day: {first} is read as {words[order]}, as a person chose"]
    rows, [note] = read(path)
    assert rows in (by_option["dmy"][0], by_option["mdy"][0])
    expression = note.partition("(make")[2].partition(", or the source")[0]
    swapped = [
        duckdb.sql(f"SELECT make{expression} FROM (SELECT DATE '{day}' AS day)").fetchall()[0][0]
        for day, _ in rows
    ]
    other = next(found for found, _ in by_option.values() if found != rows)
    assert swapped == [day for day, _ in other]


def test_a_choice_that_does_not_fit_a_column_is_said_and_not_forced(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("day;v;n\n31/01/2024;1.5;7\n01/02/2024;2.25;8\n")
    rows, notes = read(path, ValueChoice(dates="mdy", decimals="comma"))
    assert rows == [(dt.date(2024, 1, 31), 1.5, 7), (dt.date(2024, 2, 1), 2.25, 8)]
    of_v, of_day = notes
    assert of_v.endswith("1.5: not every number fits the decimal comma, which was chosen")
    assert of_day == (
        "column day: 31/01/2024 is read as day, month, year: not every date fits month, day, year, "
        "which was chosen"
    )


def test_a_chosen_encoding_is_taken_unless_the_file_is_marked(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_bytes("name;n\nKovač;1\n".encode("cp1250"))
    note = "the text is read in cp1250, as a person chose"
    assert read(path, ValueChoice(encoding="cp1250")) == ([("Kovač", 1)], [note])
    assert read(path, ValueChoice(encoding="cp1252"))[0] == [("Kovaè", 1)]
    with pytest.raises(QuestionError, match="no text in utf-8, the encoding that was chosen"):
        read(path, ValueChoice(encoding="utf-8"))
    path.write_bytes("name;n\nKovač;1\n".encode("utf-8-sig"))
    marked = (
        "the text begins with the mark of utf-8 and is read in it, not in cp1250, which was chosen"
    )
    assert read(path, ValueChoice(encoding="cp1250")) == ([("Kovač", 1)], [marked])
    path.write_text("name;n\nplain;1\n")
    assert read(path, ValueChoice(encoding="cp1250")) == ([("plain", 1)], [])


def test_months_in_a_row_are_months_and_days_in_a_row_are_days(tmp_path: Path):
    (tmp_path / "months.csv").write_text(MONTHS)
    (tmp_path / "days.csv").write_text(DAYS)
    assert read(tmp_path / "months.csv")[0][1][0] == dt.date(2024, 2, 1)
    assert read(tmp_path / "days.csv")[0][1][0] == dt.date(2024, 3, 2)


def test_one_column_of_dates_decides_for_another(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "".join(f"03/{n:02}/2024,{n + 12}/05/2024\n" for n in range(1, 13)))
    rows, notes = read(path)
    assert rows[1] == (dt.date(2024, 2, 3), dt.date(2024, 5, 14))
    assert any("column a can be read in two ways" in note for note in notes)


def test_thousands_in_a_european_file_are_thousands_and_the_doubt_is_said(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("tag;umsatz\n01.03.2024;1.234\n02.03.2024;12.500\n")
    rows, notes = read(path)
    assert rows == [(dt.date(2024, 3, 1), 1234), (dt.date(2024, 3, 2), 12500)]
    assert any("umsatz can be read in two ways: 1.234 is read as 1234" in note for note in notes)
    rows, notes = read(path, ValueChoice(decimals="point"))
    assert [value for _, value in rows] == [1.234, 12.5]
    assert "column umsatz: 1.234 is read as 1.234, as a person chose" in notes
    assert not any("two ways" in note for note in notes)


def test_points_in_a_file_with_commas_between_are_decimals(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("place,lat\na,48.137\nb,11.575\n")
    assert read(path) == ([("a", 48.137), ("b", 11.575)], [])


# The heading, and what 04/05/2024 and 1.234 are then; words are named where they decided.
LANGUAGES = {
    "Fecha\tImporte": (dt.date(2024, 5, 4), 1234, "Fecha, Importe"),
    "Rechnungsdatum|Wert": (dt.date(2024, 5, 4), 1234, "Rechnungsdatum, Wert"),
    "Größe|v": (dt.date(2024, 5, 4), 1234, "Größe"),
    "Дата\tv": (dt.date(2024, 5, 4), 1234, "Дата"),
    "ZIP\tv": (dt.date(2024, 4, 5), 1.234, "ZIP"),
    "city state|v": (dt.date(2024, 4, 5), 1.234, "state"),
    "order state|v": (dt.date(2024, 5, 4), 1.234, ""),
    "date\tamount": (dt.date(2024, 5, 4), 1.234, ""),
    "customer\tBetrag": (dt.date(2024, 5, 4), 1.234, ""),
}


@pytest.mark.parametrize("heading", LANGUAGES)
def test_the_language_of_a_file_decides_what_nothing_else_does_and_the_doubt_is_said(
    tmp_path: Path, heading: str
):
    mark = "|" if "|" in heading else "\t"
    path = tmp_path / "a.csv"
    path.write_text(f"{heading}\n04/05/2024{mark}1.234\n08/05/2024{mark}12.500\n")
    rows, notes = read(path)
    day, value, words = LANGUAGES[heading]
    assert rows[0] == (day, value)
    of_day = notes[-1]
    assert "can be read in two ways: 04/05/2024 is read as " in of_day
    assert of_day.endswith(f"--dates {'mdy' if day.month == 5 else 'dmy'})")
    assert ("words of the file" in of_day) is bool(words)
    assert f"({words}), every date also fits" in of_day or not words
    if value == 1234:
        assert f"is read as 1234, as words of the file suggest ({words}), it could" in notes[0]
        assert notes[0].endswith("--decimals point)")


def test_the_words_in_cells_are_those_of_a_file_whose_heading_tells_nothing(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("id\tv\nenero\t1.234\nfebrero\t12.500\n")
    assert read(path)[0] == [("enero", 1234), ("febrero", 12500)]
    path.write_text("month\tv\nenero\t1.234\nfebrero\t12.500\n")
    assert read(path)[0] == [("enero", 1.234), ("febrero", 12.5)]


def test_other_columns_and_the_separator_outweigh_the_language(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("Betrag\tKurs\n1.234\t0.5\n12.500\t1.25\n")
    assert read(path) == ([(1.234, 0.5), (12.5, 1.25)], [])
    path.write_text("Ort,Breite\nx,48.137\ny,11.575\n")
    rows, [note] = read(path)
    assert rows == [("x", 48.137), ("y", 11.575)]
    assert "11.575 is read as 11.575, it could also be 11575" in note
    path.write_text('Betrag,n\n"1,234",1\n"2,500",2\n')
    rows, [note] = read(path)
    assert rows == [(1.234, 1), (2.5, 2)]
    assert "1,234 is read as 1.234, as words of the file suggest (Betrag), it could" in note


def test_a_series_of_dates_outweighs_the_language(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("zip,day\n" + "".join(f"x,{day:02}/03/2024\n" for day in range(1, 13)))
    assert read(path)[0][1] == ("x", dt.date(2024, 3, 2))
    path.write_text("fecha,v\n" + "".join(f"{month:02}/01/2024,1\n" for month in (1, 4, 7, 10)))
    assert read(path)[0][1] == (dt.date(2024, 4, 1), 1)
    # Days in January, or the first days of months: as likely.
    path.write_text(MONTHS.replace("day", "fecha"))
    rows, [note] = read(path)
    assert rows[1] == (dt.date(2024, 1, 2), 2)
    assert ", as words of the file suggest (fecha), every date also fits month, day, year" in note


# How `1,234.56` is written in other places.
FORMS = {"point": ",.", "comma": ".,", "space": " ,"}


def written(value: float, form: str) -> str:
    return f"{value:,.2f}".translate(str.maketrans(",.", FORMS[form]))


@given(
    values=st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=30),
    form=st.sampled_from(sorted(FORMS)),
    separator=st.sampled_from([",", ";", "\t"]),
    percent=st.booleans(),
)
def test_property_numbers_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory,
    *,
    values: list[int],
    form: str,
    separator: str,
    percent: bool,
) -> None:
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    hundredths = [value / 100 for value in values]
    texts = [f'"{written(value, form)}{"%" if percent else ""}"' for value in hundredths]
    path.write_text(f"id{separator}v\n" + "".join(f"x{separator}{text}\n" for text in texts))
    assert [value for _, value in read(path)[0]] == pytest.approx(hundredths)


@given(
    days=st.lists(st.dates(dt.date(1990, 1, 1), dt.date(2060, 1, 1)), min_size=1, max_size=30),
    order=st.sampled_from(["dmy", "mdy"]),
    mark=st.sampled_from(["/", "-"]),
)
def test_property_dates_come_back_as_they_were_written_or_the_doubt_is_said(
    tmp_path_factory: pytest.TempPathFactory, *, days: list[dt.date], order: str, mark: str
) -> None:
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    form = f"%d{mark}%m{mark}%Y" if order == "dmy" else f"%m{mark}%d{mark}%Y"
    path.write_text("id,day\n" + "".join(f"x,{day.strftime(form)}\n" for day in days))
    rows, notes = read(path)
    right = [day for _, day in rows] == days
    is_clear = any(max(day.day, day.month) > 12 for day in days)
    assert right or (not is_clear and "can be read in two ways" in notes[0])


ENCODED = {
    "cp1252": "Produkt;Preis\nKäse;12,50 €\nWürstchen;3,20 €\n",
    "shift_jis": "商品,数量,都市\nりんご,3,東京\nカメラ,2,名古屋\n",
    "big5": "產品,數量,城市\n蘋果,3,臺北\n電腦,2,臺中\n",
    "cp1251": "Товар;Количество\nЯблоки;3\nКнига;2\n",  # noqa: RUF001
    "gbk": "产品,数量,城市\n苹果,3,上海\n电脑,2,广州\n",
    "euc_kr": "제품,수량,도시\n사과,3,서울\n배추,5,부산\n",
    "latin-1": "Nom;Nombre\nCafé crème;1\nPâté;2\n",
}


@pytest.mark.parametrize("encoding", ENCODED)
async def test_text_in_an_older_encoding_is_read_right(tmp_path: Path, encoding: str):
    path = tmp_path / "a.csv"
    path.write_bytes(ENCODED[encoding].encode(encoding))
    lines = ENCODED[encoding].splitlines()
    mark = ";" if ";" in lines[0] else ","
    async with asking(path, tmp_path) as ask:
        found = table(await ask.engine.catalogue(), "a")
        assert [column.name for column in found.columns] == lines[0].split(mark)
        rows = await ask.rows("SELECT * FROM a")
        assert [row[0] for row in rows] == [line.split(mark)[0] for line in lines[1:]]
