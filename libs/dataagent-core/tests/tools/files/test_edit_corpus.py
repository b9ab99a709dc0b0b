"""Edits that people made, asked for with a model's faults: each is right, or refused.

Under `make soak` every pair of versions is taken; the table it prints is recorded in
benchmarks/RESULTS.md.
"""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from edit_corpus.faults import HONEST, LOSSY
from edit_corpus.outcomes import Table, applied, edits_of, measure
from edit_corpus.stale import removed_edits, stale_edits, unnamed_lines
from edit_corpus.versions import Versions, all_versions

from dataagent_core.errors import ValidationError
from tests.counts import rounds

Recorder = Callable[[str, object], None]

SEED = 17
REFUSED_MAX = 0.03
# Of faults that lose something a few look like another edit; the parser finds most of the rest.
LOSSY_WRONG_MAX = 0.002
# The others still fit one place only, and change nothing they do not name.
STALE_REFUSED_MIN = 0.9


@pytest.fixture(scope="module")
def versions() -> list[Versions]:
    return all_versions()


def sampled(versions: list[Versions], count: int) -> tuple[list[Versions], Random]:
    random = Random(SEED)
    return random.sample(versions, min(count, len(versions))), random


def test_17_4_no_edit_of_a_sample_is_corrupted(versions: list[Versions]):
    pairs, random = sampled(versions, 25)
    table = measure(edits_of(pairs, random), HONEST, random)
    assert not table.corruptions, shown(table)
    assert min(row["right"] for row in table.counts.values()) > 0


@pytest.mark.slow
def test_17_4_edits_are_exact_or_refused(versions: list[Versions], record_property: Recorder):
    pairs, random = sampled(versions, rounds(150, soak=len(versions)))
    table = measure(edits_of(pairs, random), HONEST | LOSSY, random)
    record_property("table", str(table))
    assert not [one for one in table.corruptions if one.fault in HONEST], shown(table)
    assert table.share("refused", HONEST) <= REFUSED_MAX, str(table)
    assert table.share("wrong", LOSSY) <= LOSSY_WRONG_MAX, shown(table)


@pytest.mark.slow
def test_17_4_no_stale_edit_changes_a_line_it_does_not_name(
    versions: list[Versions], record_property: Recorder
):
    pairs, random = sampled(versions, rounds(150, soak=len(versions)))
    counts: Counter[str] = Counter()
    edits = {
        "stale": stale_edits(pairs, random),
        "removed": removed_edits(edits_of(pairs, random)),
    }
    for kind, several in edits.items():
        for edit in several:
            edited = applied(edit.path, edit.text, edit.old, edit.new)
            if isinstance(edited, ValidationError):
                counts[f"{kind}, refused"] += 1
                continue
            counts[f"{kind}, {edited.strategy}"] += 1
            unnamed = unnamed_lines(edit, edited.text)
            assert not unnamed, (edit.path, edited.strategy, unnamed, edit.old, edit.new)
    record_property("table", "\n".join(f"{name:34}{count:8}" for name, count in counts.items()))
    for kind in edits:
        several = sum(count for name, count in counts.items() if name.startswith(kind))
        assert counts[f"{kind}, refused"] >= STALE_REFUSED_MIN * several, counts


def shown(table: Table) -> str:
    wrong = [
        f"{one.fault} ({one.strategy}) in {one.change.path}\n--- old\n{one.old}\n--- new\n{one.new}"
        for one in table.corruptions[:5]
    ]
    return "\n".join([str(table), *wrong])
