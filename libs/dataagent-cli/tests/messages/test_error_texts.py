"""Every error and note of this package has a Chinese text, and no text is unused."""

from pathlib import Path

from spoken_sentences import HAN, one_place, places, shape, spoken, written

import dataagent_cli
from dataagent_cli.messages.error_texts import ERROR_TEXTS, PHRASES
from dataagent_core.language.chinese import in_chinese

CLI = Path(dataagent_cli.__file__).parent
# Texts for an MCP client, and those in `usage_texts.py`.
ELSEWHERE = {"mcp/serve/server.py", "mcp/serve/agent.py", "commands/conversation.py"}

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
    assert [
        text for text, chinese in texts.items() if set(places(text)) != set(places(chinese))
    ] == []
    assert [text for text, chinese in texts.items() if not HAN.search(chinese)] == []
