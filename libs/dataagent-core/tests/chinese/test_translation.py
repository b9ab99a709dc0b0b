"""Texts as the data tools put them together, in Chinese.

The console has the same rules in TypeScript: both are tested with the same texts.
"""

import json
from pathlib import Path

import pytest

from dataagent_core.chinese import in_chinese

CASES = Path(__file__).parents[4] / "web/src/i18n/data.zh.cases.json"


@pytest.mark.parametrize("case", json.loads(CASES.read_text()))
def test_a_text_of_several_parts_is_put_together_in_chinese(case: dict[str, str]):
    assert in_chinese(case["english"]) == case["chinese"]


def test_what_is_too_long_to_be_a_sentence_stays_as_it_is():
    text = "There is no source 'x'. " * 1000
    assert in_chinese(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "a: b: c: d: e: f: g: h: i. j. k. l. m. n. o. p. q.",
        "a: " * 1_300,
        "x. " * 1_300,
        "a: b. " * 600,
    ],
    ids=["mixed", "colons", "ends", "both"],
)
def test_a_text_of_many_parts_is_given_up_on(text: str):
    """Trying every way to part it took minutes."""
    assert in_chinese(text) == text
