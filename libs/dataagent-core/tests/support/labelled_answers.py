"""Answers written by hand whose figures are marked with what they are, and what a receipt says.

A list of answers is a YAML file beside its test: `tables` (columns, rows, aliases of columns), and
answers with `results` and `text`. `{+12}` is a figure that is true; the other marks say why one is
not: `-` another value, `~` another column of the row, `^` another row or period, `?` no data.
`{=3}` is no claim. `[r1]` becomes the id of the first result.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml

from dataagent_core.tools.data.receipts.figure_trace import trace_figures
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex, index_result
from dataagent_core.tools.data.receipts.trace_values import TraceResult

_MARK = re.compile(r"\{([+~^?=-])([^}]*)\}")


@dataclass(frozen=True)
class Mark:
    kind: str
    start: int
    text: str


@dataclass(frozen=True)
class Outcome:
    kind: str
    # `certified`, `value` (found, but its meaning is not checked), or why not.
    state: str
    text: str

    @property
    def true(self) -> bool:
        return self.kind == "+"

    @property
    def wrong(self) -> bool:
        return self.true != (self.state == "certified")


@dataclass(frozen=True)
class Measured:
    """Precision: what is true of what is certified. Recall: what is certified of what is true."""

    precision: float
    recall: float
    found: list[Outcome]

    def line(self, name: str, answers: int) -> str:
        value_only = sum(one.state == "value" for one in self.found)
        numbers = f"{self.precision:9.4f}  {self.recall:6.4f}  {value_only:10}"
        return f"{name:17} {answers:3} {len(self.found):8}  {numbers}"


HEAD = "answers                figures  precision  recall  value only"


def read_list(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def unmarked(text: str) -> tuple[str, list[Mark]]:
    """Take the marks out of a text and say where they were."""
    plain, marks, last = "", list[Mark](), 0
    for mark in _MARK.finditer(text):
        plain += text[last : mark.start()]
        marks.append(Mark(mark[1], len(plain), mark[2]))
        plain += mark[2]
        last = mark.end()
    return plain + text[last:], marks


def index_of(made: Mapping[str, Any], result_id: str) -> ResultIndex:
    rows = made["rows"]
    table = pa.table(
        {column: [row[at] for row in rows] for at, column in enumerate(made["columns"])}
    )
    return index_result(result_id, table, truncated=False, aliases=made.get("aliases"))


def outcomes(answer: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Outcome]:
    names = {f"r{n + 1}": f"r_{n + 1:012x}" for n in range(len(answer["results"]))}
    text = re.sub(r"\[(r\d)(?=[\]:])", lambda found: f"[{names[found[1]]}", answer["text"])
    plain, marks = unmarked(text)
    indexes = [
        index_of(tables[name], result_id)
        for name, result_id in zip(answer["results"], names.values(), strict=True)
    ]
    states = states_of(trace_figures(plain, indexes))
    return [
        Outcome(
            mark.kind,
            next(
                (s for a, b, s in states if a < mark.start + len(mark.text) and mark.start < b),
                "no figure",
            ),
            f"{mark.text} in {plain}",
        )
        for mark in marks
    ]


def states_of(answer: TraceResult) -> list[tuple[int, int, str]]:
    """Say of each figure of a receipt where it is and what is said of it."""
    states: list[tuple[int, int, str]] = []
    for figure in (*answer.figures, *answer.unsourced):
        assert isinstance(figure, dict)
        start, end = figure["start"], figure["end"]
        assert isinstance(start, int)
        assert isinstance(end, int)
        proven = figure.get("class") in ("result", "cited")
        state = "certified" if proven else str(figure.get("class") or figure["reason"])
        states.append((start, end, state))
    return states


def measured(answers: Sequence[Mapping[str, Any]], tables: Mapping[str, Any]) -> Measured:
    all_of = [one for answer in answers for one in outcomes(answer, tables)]
    claims = [one for one in all_of if one.kind != "="]
    certified = [one for one in claims if one.state == "certified"]
    right = sum(one.true for one in certified)
    true = sum(one.true for one in claims)
    return Measured(right / max(1, len(certified)), right / max(1, true), claims)
