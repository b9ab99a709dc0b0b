"""What the terminal raises and notes itself is there in Chinese, and nothing that nobody says."""

import re
from pathlib import Path
from string import Formatter

from spoken_sentences import one_place, spoken, written

import dataagent_cli
from dataagent_cli.error_texts import ERROR_TEXTS, PHRASES
from dataagent_core.chinese import in_chinese

CLI = Path(dataagent_cli.__file__).parent
# What an MCP client is told, and what `usage_texts.py` has.
ELSEWHERE = {"mcp/serving.py", "mcp/serving_agent.py", "commands/talk.py"}
HAN = re.compile(r"[\u4e00-\u9fff]")


def shape(text: str) -> str:
    parsed = Formatter().parse(text)
    return "".join(words if name is None else f"{words}{{}}" for words, name, _, _ in parsed)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


KNOWN = {one_place(shape(text)) for text in (*in_chinese.sentences, *ERROR_TEXTS, *PHRASES)}


def test_every_sentence_is_there_in_chinese():
    said = spoken(CLI, ELSEWHERE)
    assert {text: file for text, file in said.items() if text not in KNOWN} == {}


def test_no_sentence_is_there_that_nobody_says():
    said = written(CLI)
    texts = (*ERROR_TEXTS, *PHRASES)
    assert [text for text in texts if one_place(shape(text)) not in said] == []


def test_both_languages_fill_in_the_same():
    texts = {**ERROR_TEXTS, **PHRASES}
    assert [text for text, chinese in texts.items() if places(text) != places(chinese)] == []
    assert [text for text, chinese in texts.items() if not HAN.search(chinese)] == []
