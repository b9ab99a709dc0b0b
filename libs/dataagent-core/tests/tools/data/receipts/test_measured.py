"""How often the tracer is right, per derivation, over generated answers with hard negatives."""

import sys
from collections import Counter
from typing import Any

import pytest
from receipt_corpus import DERIVATIONS, Case, Made, cases

from dataagent_core.tools.data.receipts.figure_trace import trace_figures
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex, index_result
from dataagent_core.tools.data.receipts.trace_values import ToolOutput

CASES = 12_000
MEASURE_MIN = 0.99


def found_derivation(case: Case, indexes: dict[str, ResultIndex]) -> str | None:
    outputs = [ToolOutput(tool_name="code_executor", tool_call_id="c", text=case.output)]
    answer = trace_figures(case.text, [indexes[made.result_id] for made in case.results], outputs)
    for figure in answer.figures:
        assert isinstance(figure, dict)
        start, end = figure["start"], figure["end"]
        assert isinstance(start, int)
        assert isinstance(end, int)
        if start <= case.start + 3 and end > case.start:
            derivation = str(figure["derivation"])
            percent = derivation == "cell" and "%" in str(figure["text"])
            return "percent cell" if percent else derivation
    return None


def measured(seed: int, count: int) -> tuple[Counter[Any], list[str]]:
    tally: Counter[Any] = Counter()
    surprises: list[str] = []
    indexes: dict[str, ResultIndex] = {}
    for case in cases(count, seed):
        indexes |= {m.result_id: _index(m) for m in case.results if m.result_id not in indexes}
        found = found_derivation(case, indexes)
        if case.wrong is None:
            tally["true", case.derivation] += 1
            if found == case.derivation:
                tally["right", case.derivation] += 1
            else:
                tally["as", found] += found is not None
                surprises.append(f"missed {case.derivation} (as {found}): {case.text!r}")
        else:
            tally["wrong", case.derivation, case.wrong] += 1
            if found is not None:
                tally["false", found] += 1
                tally["fooled", case.derivation, case.wrong] += 1
                surprises.append(
                    f"fooled by {case.wrong} ({case.derivation} as {found}): {case.text!r}"
                )
    return tally, surprises


def _index(made: Made) -> ResultIndex:
    return index_result(made.result_id, made.table(), truncated=made.truncated)


def table(tally: Counter[Any]) -> list[tuple[str, int, float, float]]:
    rows: list[tuple[str, int, float, float]] = []
    for name in DERIVATIONS:
        right, true, false = tally["right", name], tally["true", name], tally["false", name]
        rows.append((name, true, right / max(1, right + false), right / max(1, true)))
    return rows


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.requirement("F5-7")
@pytest.mark.requirement("F5-receipts")
def test_precision_and_recall_are_over_099_for_each_derivation(capsys: pytest.CaptureFixture[str]):
    tally, surprises = measured(seed=20261115, count=CASES)
    rows = table(tally)
    wrong = sum(number for key, number in tally.items() if key[0] == "wrong")
    fooled = sum(number for key, number in tally.items() if key[0] == "fooled")
    lines = [
        "derivation      true figures  precision  recall",
        *(f"{name:15} {true:12}  {p:9.4f}  {r:6.4f}" for name, true, p, r in rows),
        f"wrong figures: {wrong}, taken for true: {fooled}",
    ]
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    for name, true, precision, recall in rows:
        assert true >= 150, name
        assert precision > MEASURE_MIN, (name, surprises[:20])
        assert recall > MEASURE_MIN, (name, surprises[:20])
