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


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        (
            "The model openai:x is not available just now (HTTP 503): Overloaded.",
            "模型 openai:x 暂时不可用(HTTP 503):Overloaded.",
        ),
        (
            "Ask again in a moment, or name models to fall back to in DATAAGENT_FALLBACK_MODELS.",
            "请稍后再试,或在 DATAAGENT_FALLBACK_MODELS 中指定备用模型。",
        ),
        (
            "The model openai:x refused the key (HTTP 401): Bad. Check the provider's API key.",
            "模型 openai:x 拒绝了密钥(HTTP 401):Bad. 请检查 提供方的 API 密钥。",
        ),
        (
            "/p/permissions.toml: action is 'yes'; use allow, ask or deny.",
            "/p/permissions.toml: action 是 'yes';请用 allow、ask 或 deny。",
        ),
    ],
)
def test_errors_of_models_and_rules_are_chinese(english: str, chinese: str):
    assert in_chinese(english) == chinese
