"""Which separator and quote are found where more than one reading gives a table."""

import pytest

from dataagent_core.tools.data.worker_programs.csv_reader.csv_dialect import find_dialect

ROWS = "".join(f'A{n};{n},50;"x"\n' for n in range(6))
PROSE = "".join(f"a;b;c;d {n}\n" for n in range(300))


@pytest.mark.parametrize(
    ("text", "delimiter", "heading"),
    [
        # One ragged row, and a comma in every cell of one column.
        (
            f'Name;Price, EUR;"Note"\n{ROWS}B;2,50;"y";z\n',
            ";",
            ("Name", "Price, EUR", "Note"),
        ),
        # Quotes within cells are inches.
        (
            "Name;Price, EUR;Note\n"
            + "".join(f'TV {n}";{n},50;x\n' for n in range(6))
            + 'TV 40";2,50;y;z\n',
            ";",
            ("Name", "Price, EUR", "Note"),
        ),
        # A cell of many lines that look like a wider table, with and without a ragged row.
        (f'id,text,n\n1,"{PROSE}",2\n3,x,4\n', ",", ("id", "text", "n")),
        (f'id,text,n\n1,"{PROSE}",2\n3,x,4\n5,y,6,7\n', ",", ("id", "text", "n")),
        # Equally wide by commas, and by semicolons only where the text has them.
        (
            "name,size\n" + "".join(f'A;B {n}",{n}\n' for n in range(6)),
            ",",
            ("name", "size"),
        ),
    ],
)
def test_the_separator_that_gives_the_table_is_found(
    text: str, delimiter: str, heading: tuple[str, ...]
):
    dialect = find_dialect(text)
    assert (dialect.delimiter, dialect.heading) == (delimiter, heading)


def test_a_beginning_that_is_cut_within_a_quoted_cell_is_read_as_the_whole_file_is():
    text = "id;price, EUR\n" + "".join(f'{n};"{n},50"\n' for n in range(3_000)) + '9;"cut, he'
    dialect = find_dialect(text)
    assert (dialect.delimiter, dialect.quote, dialect.width) == (";", '"', 2)
