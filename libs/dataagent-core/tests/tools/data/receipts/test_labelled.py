"""How often the tracer is right over answers written by hand, ordinary ones and hard ones.

Precision is the share of true figures among those that a receipt certifies, recall the share of
the true figures that it certifies. A figure whose value is found while its meaning could not be
checked (class `value`) is certified by neither. Of both lists one half was used while the tracer was
written, the other only to measure it.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml

from dataagent_core.tools.data.receipts.index import ResultIndex, index_result
from dataagent_core.tools.data.receipts.trace import traced

PRECISION_MIN = 0.99
RECALL_MIN = 0.95
_MARK = re.compile(r"\{([+-])([^}]*)\}")
_LABELLED = yaml.safe_load(
    Path(__file__).with_name("labelled_answers.yaml").read_text(encoding="utf-8")
)


@dataclass(frozen=True)
class Outcome:
    true: bool
    # `certified`, `value` (found, but its meaning is not checked), or why not.
    state: str
    text: str


def index_of(name: str, result_id: str) -> ResultIndex:
    made = _LABELLED["tables"][name]
    rows = made["rows"]
    table = pa.table(
        {column: [row[at] for row in rows] for at, column in enumerate(made["columns"])}
    )
    return index_result(result_id, table, truncated=False, aliases=made.get("aliases"))


def outcomes(answer: dict[str, Any]) -> list[Outcome]:
    names = {f"r{n + 1}": f"r_{n + 1:012x}" for n in range(len(answer["results"]))}
    text = re.sub(r"\[(r\d)(?=[\]:])", lambda found: f"[{names[found[1]]}", answer["text"])
    plain, marks = "", list[tuple[int, bool, str]]()
    last = 0
    for mark in _MARK.finditer(text):
        plain += text[last : mark.start()]
        marks.append((len(plain), mark[1] == "+", mark[2]))
        plain += mark[2]
        last = mark.end()
    plain += text[last:]
    indexes = [index_of(*pair) for pair in zip(answer["results"], names.values(), strict=True)]
    found = traced(plain, indexes)
    states: list[tuple[int, int, str]] = []
    for figure in (*found.figures, *found.unsourced):
        assert isinstance(figure, dict)
        start, end = figure["start"], figure["end"]
        assert isinstance(start, int)
        assert isinstance(end, int)
        proven = figure.get("class") in ("result", "cited")
        state = "certified" if proven else str(figure.get("class") or figure["reason"])
        states.append((start, end, state))
    return [
        Outcome(
            true,
            next((s for a, b, s in states if a < at + len(number) and at < b), "no figure"),
            f"{number} in {plain}",
        )
        for at, true, number in marks
    ]


def measured(answers: list[dict[str, Any]]) -> tuple[float, float, list[Outcome]]:
    all_of = [one for answer in answers for one in outcomes(answer)]
    certified = [one for one in all_of if one.state == "certified"]
    right = sum(one.true for one in certified)
    true = sum(one.true for one in all_of)
    return right / max(1, len(certified)), right / max(1, true), all_of


@pytest.mark.requirement("F5-7")
@pytest.mark.requirement("F5-receipts")
def test_answers_written_by_hand_are_certified_where_they_are_true(
    capsys: pytest.CaptureFixture[str],
):
    lines = ["answers                figures  precision  recall  value only"]
    failed: list[str] = []
    for kind in ("ordinary", "hard", "later"):
        answers = _LABELLED[kind]
        halves = {"used": answers[::2], "unseen": answers[1::2], "all": answers}
        if kind == "later":
            halves = {"all": answers}
        for half, part in halves.items():
            precision, recall, found = measured(part)
            value_only = sum(one.state == "value" for one in found)
            lines.append(
                f"{kind:9} {half:7} {len(part):3} {len(found):8}  {precision:9.4f}  {recall:6.4f}"
                f"  {value_only:10}"
            )
            if half == "all" and (precision < PRECISION_MIN or recall < RECALL_MIN):
                wrong = [one for one in found if one.true != (one.state == "certified")]
                failed += [f"{kind}: {one.true} {one.state}: {one.text}" for one in wrong]
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    assert not failed, "\n".join(failed)
