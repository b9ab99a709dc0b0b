"""Fits the weights of `models/embeddings/hybrid_score.py` and prints them, with what they reach.

The signs come from the real index. Logistic regressions are fitted on the calibration prompts, and
on the tuning prompts with half of each skill's triggers left out: those were written with these
prompts in view. What is printed is cross-validated over skills: no prompt is judged by weights that
were fitted on prompts of the same skill. The border is the lowest with a precision of 0.91. Prompts
that are held out are not read.
"""

import asyncio
import sys
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dataagent_core.config.limits.match import MATCH_RESULTS_MAX
from dataagent_core.models.embeddings import HybridIndex, MatchDocument
from dataagent_core.models.embeddings.hybrid_score import (
    BEHIND_BEST_MAX,
    PATTERN_WEIGHT,
    SURE_VALUE_MIN,
    is_lone_word,
)
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder
from dataagent_core.skills.evals import NO_SKILL, EvalReport, SkillEvals, make_report
from dataagent_core.skills.match.skill_matcher import to_document

sys.path.append(str(Path(__file__).parents[1] / "libs/dataagent-core/tests/support"))

from skill_corpus import load_corpus

Numbers = NDArray[np.float64]
FOLDS = 8
PRECISION_MIN = 0.91
SIGNS = (
    "mass",
    "more_words",
    "near_mass",
    "phrase",
    "lone_word",
    "near_description",
    "near_phrase",
    "nearest",
)
REGRESSIONS = {
    "_WORDS": ("mass", "more_words", "phrase"),
    "_MEANING": ("nearest",),
    "_BOTH": SIGNS[:-1],
}


@dataclass(frozen=True)
class Measured:
    """The signs of every prompt of a set for every document."""

    evals: dict[str, SkillEvals]
    prompts: list[tuple[str, str, bool]]
    signs: Numbers
    patterns: Numbers
    weight: float


async def measure(
    documents: list[MatchDocument], evals: dict[str, SkillEvals], weight: float
) -> Measured:
    """Collect the signs."""
    prompts = [
        (prompt, name, wanted)
        for name, each in evals.items()
        for wanted, texts in ((True, each.should), (False, each.should_not))
        for prompt in texts
    ]
    index = HybridIndex(documents, WordLlamaEmbedder())
    signs = np.zeros((len(prompts), len(documents), len(SIGNS)))
    patterns = np.zeros((len(prompts), len(documents)))
    for row, (prompt, _, _) in enumerate(prompts):
        found, _ = await index.collect(prompt)
        for number, (words, near) in found.items():
            more = words.mass - words.heaviest
            signs[row, number, :5] = (
                words.mass,
                more,
                words.near_mass,
                words.phrase_part**2,
                float(is_lone_word(words)),
            )
            patterns[row, number] = PATTERN_WEIGHT * words.pattern_weight
            if near is not None:
                signs[row, number, 5:] = (
                    near.description,
                    near.phrase,
                    max(near.description, near.phrase),
                )
    return Measured(evals, prompts, signs, patterns, weight)


def list_pairs(measured: Measured, names: list[str], rows: list[int]) -> tuple[Numbers, ...]:
    """List signs, pattern, label and weight of each pair of prompt and skill that is judged."""
    pairs = [
        (row, number, float(wanted and names[number] == name))
        for row in rows
        for _, name, wanted in [measured.prompts[row]]
        for number in range(len(names))
        if wanted or name in {NO_SKILL, names[number]}
    ]
    at = ([row for row, _, _ in pairs], [number for _, number, _ in pairs])
    labels = np.array([label for _, _, label in pairs])
    weights = np.full(len(pairs), measured.weight)
    return measured.signs[at], measured.patterns[at], labels, weights


def fit(signs: Numbers, patterns: Numbers, labels: Numbers, weights: Numbers) -> Numbers:
    """Fit a regression by Newton's method; the first number is its start."""
    columns = np.hstack([np.ones((len(signs), 1)), signs])
    found, ridge = np.zeros(columns.shape[1]), np.eye(columns.shape[1])
    ridge[0, 0] = 0
    for _ in range(30):
        chance = 1 / (1 + np.exp(-np.clip(columns @ found + patterns, -30, 30)))
        slope = columns.T @ (weights * (chance - labels)) + ridge @ found
        curve = (columns * (weights * chance * (1 - chance))[:, None]).T @ columns + ridge
        found -= np.linalg.solve(curve, slope)
    return found


def fit_sets(sets: list[Measured], names: list[str], used: list[int], leave: int) -> Numbers:
    """Fit on all prompts but those of a fold."""
    parts = [
        list_pairs(
            each, names, [row for row in range(len(each.prompts)) if fold_of(each, row) != leave]
        )
        for each in sets
    ]
    signs, patterns, labels, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
    return fit(signs[:, used], patterns, labels, weights)


def fold_of(measured: Measured, row: int) -> int:
    prompt, name, _ = measured.prompts[row]
    return zlib.crc32((prompt if name == NO_SKILL else name).encode()) % FOLDS


def judge(
    sets: list[Measured], values: list[Numbers], names: list[str], border: float
) -> list[EvalReport]:
    """Say what each set reaches with a border."""
    reports: list[EvalReport] = []
    for measured, value in zip(sets, values, strict=True):
        fired: dict[str, tuple[str, ...]] = {}
        for (prompt, _, _), row in zip(measured.prompts, value, strict=True):
            order = np.argsort(-row)[:MATCH_RESULTS_MAX]
            behind = min(row[order[0]] - BEHIND_BEST_MAX, border + SURE_VALUE_MIN)
            least = max(border, behind)
            fired[prompt] = tuple(names[number] for number in order if row[number] >= least)
        reports.append(make_report(measured.evals, fired))
    return reports


def find_border(sets: list[Measured], values: list[Numbers], names: list[str]) -> float:
    """Find the lowest border with the precision that is wanted."""
    for border in np.arange(-4.0, 4.0, 0.1):
        precisions = [each.precision or 0.0 for each in judge(sets, values, names, border)]
        if sum(precisions) / len(precisions) >= PRECISION_MIN:
            return float(border)
    raise SystemExit(f"No border reaches a precision of {PRECISION_MIN}: look at the signs.")


def main() -> None:
    corpus = load_corpus()
    documents = [to_document(each) for each in corpus.skills]
    names = [each.key for each in documents]
    halves = [[replace(each, phrases=each.phrases[n::2]) for each in documents] for n in (0, 1)]

    async def collect() -> tuple[list[Measured], list[Measured]]:
        calibration = await measure(documents, corpus.calibration, 2.0)
        fitted = [await measure(half, corpus.tuning, 0.5) for half in halves]
        return [calibration, *fitted], [calibration, await measure(documents, corpus.tuning, 0.5)]

    fitted, judged = asyncio.run(collect())
    for regression, used in REGRESSIONS.items():
        columns = [SIGNS.index(name) for name in used]
        values = [np.zeros(each.patterns.shape) for each in judged]
        for fold in range(FOLDS):
            found = fit_sets(fitted, names, columns, fold)
            for measured, value in zip(judged, values, strict=True):
                rows = [r for r in range(len(measured.prompts)) if fold_of(measured, r) == fold]
                value[rows] = (
                    found[0]
                    + measured.signs[rows][:, :, columns] @ found[1:]
                    + measured.patterns[rows]
                )
        border = find_border(judged, values, names)
        found = fit_sets(fitted, names, columns, FOLDS)
        weights = {"start": found[0] - border} | dict(zip(used, found[1:], strict=True))
        shown = ", ".join(f"{name}={value:.1f}" for name, value in weights.items())
        print(f"{regression}: Final = ScoreWeights({shown})")
        reports = judge(judged, values, names, border)
        for name, report in zip(("calibration", "tuning"), reports, strict=True):
            print(f"  {name}: recall {report.recall:.3f}, precision {report.precision:.3f}")


if __name__ == "__main__":
    main()
