"""Texts as the data tools put them together, in Chinese.

The console has the same rules in TypeScript: both are tested with the same texts.
"""

import json
from pathlib import Path

import pytest

from dataagent_core.language.chinese import in_chinese

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


_CONNECTION_LOST = (
    "the MCP server 'gh' was lost during the call of 'x'; whether it was done is unknown. The next "
    "call connects again. Reason: closed the connection."
)
_EDIT_REFUSED = (
    "Edit 2 of 3 failed, so none was made. old_string was found 2 times, at lines 3, 4. Add lines "
    "around it until it is unique, or set replace_all."
)


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        (
            "the MCP server 'gh' is down: did not list its tools within 30 s.",
            "MCP 服务器 'gh' 不可用:在 30 秒内没有列出其工具。",
        ),
        (
            _CONNECTION_LOST,
            (
                "MCP 服务器 'gh' 在对 'x' 的调用(是否已执行未知)期间断开。下次调用会重新连接。"
                "原因:关闭了连接。"
            ),
        ),
        (
            "a.json: the server 'gh' has a number as 'args[]'; it must be a text; put it in quotes.",
            "a.json: 服务器 'gh' 的 'args[]' 是数字;必须是文本;请加引号。",
        ),
        (
            _EDIT_REFUSED,
            (
                "3 处编辑中的第 2 处失败,因此一处也未编辑。old_string 出现 2 次,位于第 3, 4 行。"
                "请添加前后的行使其唯一,或设置 replace_all。"
            ),
        ),
        ("line 3 of events.jsonl is no event.", "events.jsonl 的第 3 行不是事件。"),
    ],
)
def test_errors_of_servers_edits_and_sessions_are_chinese(english: str, chinese: str):
    assert in_chinese(english) == chinese
