"""The question that the console offers first is one that the built-in demo answers."""

from pathlib import Path

import pytest

from dataagent_core.models.scripted.demo_words import CHINESE, ENGLISH, DemoWords

pytestmark = pytest.mark.slow

TEXTS = Path(__file__).parents[2] / "web/src/pages/chat/empty/texts.ts"


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_console_asks_word_for_word_what_the_demo_answers(words: DemoWords):
    assert f'sample_question: "{words.prompt}"' in TEXTS.read_text()
