"""Vague words are found where a person says them, whole, and in both languages."""
# ruff: noqa: RUF001 (messages as people write them)

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.planning.vague_words import find_vague_words
from tests.counts import examples


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Maybe delete it, or so, maybe not", ("maybe", "or so")),
        ("some kind of chart of related orders etc.", ("some kind of", "related", "etc")),
        ("可能要大约 20 行，和相关的文件之类", ("可能", "大约", "相关", "之类")),
        ("差不多 maybe 十个", ("差不多", "maybe")),
        ("delete the oldest log", ()),
        # Parts of other words, and words that are not vague here
        ("unrelated, maybelline, etcetera, fetch", ()),
        ("算相关性和相关系数,不可能为空", ()),
        # Not what the person says
        ('rename "maybe" to “可能” in `related` and maybe_related.py', ()),
        ("```\nmaybe 可能\n```\n> roughly\n2025-01-01 10:00:00 可能超时", ()),
    ],
)
def test_vague_words_are_found_in_order_once_each(message: str, words: tuple[str, ...]):
    assert find_vague_words(message) == words


@given(st.text(max_size=500))
@settings(max_examples=examples(100))
def test_a_vague_word_stands_in_its_message(message: str):
    # A quotation that is left out joins nothing: a word never comes from two sides of it.
    assert all(word in message.lower() for word in find_vague_words(message))
