"""Answers of runs in which no query returned anything: invented figures are marked, plain talk not.

Precision is the share of invented figures among those that are marked, recall the share of the
invented figures that are marked. The first lists were written before the gate, each of the others
to confirm it after it was changed; unqueried_answers.yaml says what each measured at first. Expect
those numbers for new answers, not the floors here.
"""

import sys
from pathlib import Path
from typing import Any

import pytest
from labelled_answers import read_list, states_of, unmarked

from dataagent_core.tools.data.receipts.trace_values import ToolOutput, TraceResult, UserStatements
from dataagent_core.tools.data.receipts.unqueried_figures import list_unqueried_figures

_LISTS = read_list(Path(__file__).with_name("unqueried_answers.yaml"))
PRECISION_MIN = 0.99
RECALL_MIN = 0.95


def marked(answer: dict[str, Any]) -> tuple[list[str], list[str], list[str]]:
    """Give the invented figures that are marked, those that are not, and what is marked besides."""
    text, marks = unmarked(answer["text"])
    outputs = [
        ToolOutput(tool_name=name, tool_call_id="c", text=output)
        for name, output in answer.get("tools", ())
    ]
    spoken = UserStatements(said=answer["user"], has_source=answer["source"])
    found_at = TraceResult(unsourced=list_unqueried_figures(text, spoken, outputs))
    spans = [(start, end) for start, end, _ in states_of(found_at)]
    invented = [mark for mark in marks if mark.kind == "?"]
    places = [(mark.start, mark.start + len(mark.text)) for mark in invented]
    hit = [any(a < end and start < b for a, b in spans) for start, end in places]
    besides = [
        text[a:b] for a, b in spans if not any(a < end and start < b for start, end in places)
    ]
    found = [mark.text for mark, is_hit in zip(invented, hit, strict=True) if is_hit]
    missed = [mark.text for mark, is_hit in zip(invented, hit, strict=True) if not is_hit]
    return found, missed, besides


@pytest.mark.parametrize("which", ["", "fresh_", "third_", "fourth_", "fifth_", "sixth_"])
def test_invented_figures_are_marked_and_honest_answers_are_not(
    which: str, capsys: pytest.CaptureFixture[str]
):
    found = missed = wrong = 0
    surprises: list[str] = []
    for kind in ("honest", "invented"):
        for answer in _LISTS[which + kind]:
            if answer.get("results"):
                continue  # traced to the earlier result: test_session.py
            hit, not_hit, besides = marked(answer)
            found, missed, wrong = found + len(hit), missed + len(not_hit), wrong + len(besides)
            if not_hit or besides:
                surprises.append(f"{kind}: missed {not_hit}, besides {besides}: {answer['text']}")
    precision, recall = found / (found + wrong), found / (found + missed)
    with capsys.disabled():
        sys.stdout.write(f"\n{which}unqueried: precision {precision:.4f}, recall {recall:.4f}\n")
    assert precision >= PRECISION_MIN, surprises
    assert recall >= RECALL_MIN, surprises
