"""Bytes that break readers of CSV files: no row is lost unless it is counted.

Every row has a word that no other has. A word that no cell of the result holds is of a lost row.
"""

import csv
import io
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from csv_planned import planned

from dataagent_core.tools.data.worker_programs.question_server import QuestionError
from tests.counts import rounds

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

_HEADING = ("word", "customer", "amount")
_COUNTED = re.compile(r"^([\d,]+) lines?\b")


def _rows(chance: random.Random) -> list[list[str]]:
    return [
        [f"w{n:05}", f"Customer {chance.randint(1, 99)}", str(chance.randint(1, 9999))]
        for n in range(chance.choice((3, 20, 300)))
    ]


def _text(rows: list[list[str]], separator: str, end: str = "\n") -> str:
    return "".join(separator.join(row) + end for row in [list(_HEADING), *rows])


def _in_cells(*pieces: str) -> Callable[[random.Random, list[list[str]], str], bytes]:
    """Put one of the pieces into a few cells."""

    def written(chance: random.Random, rows: list[list[str]], separator: str) -> bytes:
        for row in chance.sample(rows, min(len(rows), chance.randint(1, 3))):
            at = chance.randint(0, len(row[1]))
            row[1] = row[1][:at] + chance.choice(pieces) + row[1][at:]
        return _text(rows, separator).encode("utf-8", "surrogateescape")

    return written


def _long_field(chance: random.Random, rows: list[list[str]], separator: str) -> bytes:
    row = chance.choice(rows)
    row[1] = '"' + chance.choice(("x", "x,;\n", '""')) * chance.choice((1_000, 250_000)) + '"'
    return _text(rows, separator).encode()


def _mixed_ends(chance: random.Random, rows: list[list[str]], separator: str) -> bytes:
    lines = _text(rows, separator).splitlines()
    return "".join(line + chance.choice(("\n", "\r\n", "\n", "\r")) for line in lines).encode()


def _carriage_returns(_: random.Random, rows: list[list[str]], separator: str) -> bytes:
    return _text(rows, separator, "\r").encode()


def _mark_before_a_line(chance: random.Random, rows: list[list[str]], separator: str) -> bytes:
    """Two files put together, each with its byte order mark."""
    row = chance.choice(rows)
    row[0] = f"\ufeff{row[0]}"
    return ("\ufeff" + _text(rows, separator)).encode()


def _utf_16(chance: random.Random, rows: list[list[str]], separator: str) -> bytes:
    return _text(rows, separator).encode(chance.choice(("utf-16-le", "utf-16-be")))


HOSTILE: dict[str, Callable[[random.Random, list[list[str]], str], bytes]] = {
    "zero bytes": _in_cells("\0", "\0\0"),
    "carriage return in a cell": _in_cells("\r"),
    "byte order mark in a cell": _in_cells("\ufeff"),
    "byte order mark before a line": _mark_before_a_line,
    "invalid UTF-8": _in_cells("\udcff", "\udcc3", "\udce4\udcb8", "\udc80"),
    "unpaired quotes": _in_cells('"', "'", '""', '"""'),
    "long field": _long_field,
    "line ends of Unicode": _in_cells("\u2028", "\u2029", "\x85"),
    "control characters": _in_cells("\x01", "\x07", "\x0b", "\x0c", "\x1b", "\x1c", "\x1e", "\x7f"),
    "formulas": _in_cells("=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0"),
    "mixed line ends": _mixed_ends,
    "carriage returns": _carriage_returns,
    "UTF-16 without a mark": _utf_16,
}
# What Python's csv reads of these is what was written.
_JUDGED = {
    "byte order mark in a cell",
    "long field",
    "line ends of Unicode",
    "control characters",
    "formulas",
}


def _made(kind: str, seed: int) -> tuple[bytes, list[str], str]:
    chance = random.Random(f"{kind} {seed}")
    separator = chance.choice((",", ";", "\t", "|"))
    rows = _rows(chance)
    words = [row[0] for row in rows]
    return HOSTILE[kind](chance, rows, separator), words, separator


@pytest.mark.requirement("F5-dirty-files")
@pytest.mark.parametrize("kind", HOSTILE)
def test_no_row_of_a_hostile_file_is_lost_unless_it_is_counted(tmp_path: Path, kind: str) -> None:
    wrong: list[str] = []
    for seed in range(rounds(8, soak=500)):
        data, words, separator = _made(kind, seed)
        path = tmp_path / f"{seed}.csv"
        path.write_bytes(data)
        try:
            reading, rows = planned(path, "*")
        except QuestionError:
            # A sentence says that the file is not read: nothing of it is taken for the whole.
            continue
        finally:
            path.unlink()
        cells = " ".join(str(cell) for row in rows for cell in row)
        seen = set(re.findall(r"w\d{5}", cells))
        counted = sum(
            int(found[1].replace(",", ""))
            for note in reading.notes
            if (found := _COUNTED.match(note))
        )
        lost = [word for word in words if word not in seen]
        if len(lost) > counted:
            wrong.append(f"seed {seed}: lost {lost[:5]} of {len(words)}: {reading.notes}")
        elif kind in _JUDGED and not counted:
            text = data.decode()
            judged = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))[1:]
            got = [[str(cell) for cell in row] for row in rows]
            if got != judged:
                pair = next(
                    ((a, b) for a, b in zip(got, judged, strict=False) if a != b),
                    (len(got), len(judged)),
                )
                wrong.append(f"seed {seed}: {str(pair)[:300]}")
    assert not wrong, "\n".join((f"{len(wrong)}:", *wrong[:10]))
