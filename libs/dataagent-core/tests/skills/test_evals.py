"""Evals of skills: how they are read, and what the report says."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from skill_corpus import load_corpus

from dataagent_core.errors import ValidationError
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder
from dataagent_core.skills import Skill
from dataagent_core.skills.evals import (
    NO_SKILL,
    EvalMiss,
    SkillEvals,
    load_evals,
    make_report,
    parse_evals,
    run_evals,
)


@pytest.mark.parametrize(
    "written",
    [
        {"should": ["a"], "should_not": ["b"]},
        {"should_trigger": [{"prompt": "a"}, 7, " "], "should_not_trigger": [{"query": "b"}]},
        [{"query": "a", "should_trigger": True}, {"query": "b", "should_trigger": False}],
        {"skill_name": "x", "evals": [{"prompt": "a"}, {"prompt": "b", "should_fire": False}]},
    ],
)
def test_evals_are_read_in_the_forms_people_use(written: Any):
    assert parse_evals(json.dumps(written).encode()) == SkillEvals(should=("a",), should_not=("b",))


def test_half_a_character_in_a_prompt_is_read_as_none_at_all():
    assert parse_evals(b'["x", {"prompt": "a \\ud800"}]').should == ("a \ufffd",)


@pytest.mark.parametrize("content", [b"{", b"[]", b"{}", b"3", b'{"should": "a"}', b"\xff"])
def test_evals_without_prompts_are_refused_with_an_example(content: bytes):
    with pytest.raises(ValidationError, match=r"evals\.json"):
        parse_evals(content)


def test_a_folder_without_evals_has_none(tmp_path: Path):
    assert load_evals(tmp_path) == SkillEvals()


def skill(name: str, description: str) -> Skill:
    return Skill(id=name, name=name, description=description, content="")


@pytest.mark.requirement("S2-D.7.3")
async def test_the_report_counts_hits_misses_and_who_is_in_the_way():
    skills = [skill("apples", "Everything about apples"), skill("fruit", "Apples, pears, fruit")]
    evals = {
        "apples": SkillEvals(should=("apples apples",), should_not=("apples as a company",)),
        "fruit": SkillEvals(should=("pears fruit", "bananas"), should_not=("apples in a pie",)),
        NO_SKILL: SkillEvals(should_not=("the fruit market",)),
    }
    fired = {
        "apples apples": ("apples", "fruit"),
        "apples as a company": ("apples",),
        "pears fruit": ("fruit",),
        "bananas": (),
        # Not wrong of `apples`: a prompt against one skill may be one for another.
        "apples in a pie": ("apples",),
        "the fruit market": ("fruit",),
    }
    report = make_report(evals, fired)
    assert (report.recall, report.precision, report.prompts) == (0.6667, 0.4, 6)
    assert report.confusion["apples"] == {"apples": 1, "fruit": 1}
    assert {each.name: (each.hits, each.false_alarms) for each in report.skills} == {
        "apples": (1, 1), "fruit": (1, 2), NO_SKILL: (0, 0),
    }  # fmt: skip
    assert EvalMiss(prompt="bananas", missing="fruit", fired=()) in report.misses
    assert EvalMiss(prompt="apples apples", missing=None, fired=("fruit",)) in report.misses
    assert json.loads(json.dumps(report.to_dict()))["precision"] == 0.4
    whole = await run_evals(skills, None, evals, of=["apples"])
    assert whole.prompts == 2


async def test_the_corpus_of_forty_skills_in_two_languages_is_matched():
    """A change of the scores that loses much is noticed; the figures are in RESULTS.md."""
    corpus = load_corpus()
    assert len(corpus.skills) >= 40
    for prompts, recall, precision in (
        (corpus.held_out, 0.92, 0.86),
        # Everyday speech, far from the words of the triggers.
        (corpus.second_held_out, 0.72, 0.86),
    ):
        report = await run_evals(corpus.skills, WordLlamaEmbedder(), prompts)
        assert (report.recall or 0.0) > recall, report.misses
        assert (report.precision or 0.0) > precision, report.misses


def test_evals_that_are_a_pipe_or_behind_a_link_are_not_read(tmp_path: Path):
    piped, linked = tmp_path / "piped", tmp_path / "linked"
    (piped / "evals").mkdir(parents=True)
    os.mkfifo(piped / "evals" / "evals.json")
    linked.mkdir()
    (tmp_path / "evals.json").write_text('{"should": ["of somebody else"]}')
    (linked / "evals").symlink_to(tmp_path)
    for folder in (piped, linked):
        with pytest.raises(ValidationError, match=r"evals\.json"):
            load_evals(folder)
