"""What is indexed of a text."""

import pytest
from searched_memories import LOCAL, BrokenEmbedder, HangingEmbedder

from dataagent_core.memory.search.index_text import index_text, list_terms, read_meaning
from dataagent_core.memory.search.query_text import read_asked, read_query


def test_forms_of_an_english_word_are_one_word() -> None:
    assert set(list_terms("reviewed")) == set(list_terms("reviews")) == set(list_terms("reviewing"))


def test_a_word_counts_as_often_as_it_stands_in_the_text() -> None:
    assert list_terms("tea, tea and coffee").count("tea") == 2


def test_words_of_grammar_are_left_out_unless_there_are_no_others() -> None:
    assert list_terms("where is the kettle") == list_terms("kettle")
    assert list_terms("where is it") == ["wher", "is", "it"]
    assert "need" in list_terms("what I need")


def test_chinese_is_read_by_signs_and_pairs() -> None:
    assert set(list_terms("我养猫")) == {"我", "养", "猫", "我养", "养猫"}


@pytest.mark.parametrize("text", ["私はりんごが好き", "ฉันชอบแมวมาก", "고양이를 좋아해요"])
def test_other_scripts_without_blanks_share_pairs_with_a_part_of_themselves(text: str) -> None:
    assert set(list_terms(text)) & set(list_terms(text[2:6]))


def test_a_text_without_words_is_one_word_and_an_empty_one_none() -> None:
    assert list_terms(" ?!? ") == ["?!?"]
    assert list_terms(" \n") == []


@pytest.mark.parametrize("text", ["you the", "的了", "the 的", "🎉", "\ud800", "a" * 30_000, "!!!"])
def test_every_text_is_found_by_its_own_words(text: str) -> None:
    assert set(read_query(text).words) <= set(list_terms(text))


async def test_who_speaks_is_a_word_but_no_part_of_the_meaning() -> None:
    with_name = await index_text("Alice: I moved to Lyon", LOCAL)
    without = await index_text("I moved to Lyon", LOCAL)
    assert "alic" in with_name.words
    assert "alic" not in without.words
    assert with_name.vector == without.vector
    from_source = await index_text("I moved to Lyon", LOCAL, speaker="Alice")
    assert from_source.words == with_name.words
    assert from_source.vector == without.vector


@pytest.mark.parametrize(
    "text", ["https://example.org: a page", "9:30 we meet", "he said: no", "no. wait: what"]
)
def test_what_is_no_name_before_a_colon_stays(text: str) -> None:
    assert read_meaning(text) == text


async def test_a_text_is_indexed_without_a_vector_while_the_embedder_fails() -> None:
    entry = await index_text("I moved to Lyon", BrokenEmbedder())
    assert entry.words
    assert (entry.embedder, entry.vector) == ("", None)


async def test_a_text_that_means_nothing_has_a_vector_that_is_near_to_nothing() -> None:
    entry = await index_text("", LOCAL)
    assert entry.embedder == LOCAL.name
    assert entry.vector is not None
    assert list(entry.vector) == [0.0]


def test_a_question_is_embedded_without_names_and_words_of_any_question() -> None:
    query = read_query("When did Alice's sister move to Lyon?")
    assert read_asked(query, ["alice"], only_telling=True) == "sister move Lyon"
    assert read_asked(query, ["alice"], only_telling=False) == "When did sister move to Lyon?"
    chinese = read_query("林悦什么时候搬到杭州的?")
    assert read_asked(chinese, ["林悦"], only_telling=True) == "搬到杭州"


def test_a_question_of_nothing_else_is_embedded_as_it_is() -> None:
    assert read_asked(read_query("who are you?"), [], only_telling=True) == "who are you?"


async def test_an_embedder_that_hangs_keeps_no_text_from_being_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dataagent_core.memory.search.index_text._EMBED_WAIT_S", 0.0)
    entry = await index_text("I moved to Lyon", HangingEmbedder())
    assert (entry.embedder, entry.vector) == ("", None)
    assert "lyon" in entry.words
