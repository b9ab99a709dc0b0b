"""What the rules read: entities, relations and things worth remembering, in two languages."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.memory.graph.extraction.extraction import Extraction
from dataagent_core.memory.graph.extraction.grounded_text import GroundedText
from dataagent_core.memory.graph.extraction.memory_rules import Turn, extract_memories
from dataagent_core.memory.graph.extraction.rule_extractor import extract_by_rules
from tests.counts import examples

AT = datetime(2026, 6, 1, tzinfo=UTC)


def read(text: str, speaker: str = "") -> Extraction:
    return extract_by_rules(text, speaker=speaker, at=AT)


def list_relations(text: str, speaker: str = "") -> list[tuple[str, str, str]]:
    found = read(text, speaker)
    return [
        (found.entities[one.source].name, one.name, found.entities[one.target].name)
        for one in found.relations
    ]


RELATIONS = {
    "I work at Acme Corp and live in Berlin.": [
        ("I", "works at", "Acme Corp"),
        ("I", "lives in", "Berlin"),
    ],
    "Alice Chen works at Globex since 2020.": [("Alice Chen", "works at", "Globex")],
    "My name is Bob Miller.": [("I", "is named", "Bob Miller")],
    "I'm a data engineer.": [("I", "is", "data engineer")],
    "Alice: I'm allergic to peanuts.": [("Alice", "is allergic to", "peanuts")],
    "My dog is called Rex.": [("My dog", "is named", "Rex")],
    "I don't like mushrooms.": [("I", "dislikes", "mushrooms")],
    "我住在上海。我在阿里巴巴工作。": [("I", "住在", "上海"), ("I", "工作于", "阿里巴巴")],
    "王芳喜欢喝咖啡": [("王芳", "喜欢", "喝咖啡")],
    "我对花生过敏": [("I", "过敏于", "花生")],
    "项目截止日期是2026年5月1日": [("项目截止日期", "是", "2026年5月1日")],
    # A question, a pronoun, code and a wish say nothing.
    "Do I live in Berlin?": [],
    "She works at Acme.": [],
    "他住在北京": [],
    "```\nI live in Berlin.\n```": [],
    "你在哪里工作呢": [],
}


@pytest.mark.parametrize("text", RELATIONS)
@pytest.mark.requirement("F22-3-rules")
def test_a_sentence_says_what_it_says(text: str):
    assert list_relations(text) == RELATIONS[text]


def test_dates_and_numbers_have_one_form():
    text = (
        "The budget is $1.2 million and 30% of 5,000 km, from 2026-03-03 to March 4th, 2026, "
        "then 5 May. 预算300万元,2026年5月1日,3月14日。"
    )
    found = {one.value for one in read(text).entities if one.value}
    assert found == {
        "1200000 USD", "30 %", "5000 km", "2026-03-03", "2026-03-04", "--05-05", "3000000 CNY",
        "2026-05-01", "--03-14",
    }  # fmt: skip
    assert not [one for one in read("on 2026-13-77 and 31 February").entities if one.value]


def test_names_are_found_and_words_of_everyday_use_are_none():
    found = {one.name: one.type for one in read(
        "Yesterday we met Dr. Smith of Initech Inc in Paris. Thanks! The plan is ok. 清华大学《红楼梦》"
    ).entities}  # fmt: skip
    assert found["Dr. Smith of Initech Inc"] == "organization" or found["Dr. Smith"] == "person"
    assert found["Paris"] == "place"
    assert found["清华大学"] == "organization"
    assert "红楼梦" in found
    assert not {"Yesterday", "Thanks", "The"} & found.keys()


def test_a_relation_knows_since_when_and_that_it_ended():
    (relation,) = read("I work at Acme since 2020.").relations
    assert relation.valid_from == datetime(2020, 1, 1, tzinfo=UTC)
    (relation,) = read("I moved to Lyon last week.").relations
    assert relation.valid_from == datetime(2026, 5, 25, tzinfo=UTC)
    for text in ("I no longer work at Acme.", "我不再在腾讯工作"):
        (relation,) = read(text).relations
        assert relation.ends


MEMORIES = {
    "I live in Berlin.": [("fact", "I live in Berlin")],
    "I prefer dark mode.": [("preference", "I prefer dark mode")],
    "Always answer in French": [("preference", "Always answer in French")],
    "以后请用中文回答我": [("preference", "以后请用中文回答我")],
    "We decided to use PostgreSQL.": [("decision", "We decided to use PostgreSQL")],
    "我们决定用 Postgres。": [("decision", "我们决定用 Postgres")],
    "Please remember that the deploy key rotates monthly.": [
        ("fact", "the deploy key rotates monthly")
    ],
    "请记住：服务器在法兰克福": [("fact", "服务器在法兰克福")],  # noqa: RUF001 (a Chinese colon)
    "Alice: I love hiking.": [("preference", "Alice: I love hiking")],
    "Maybe I live in Rome": [],
    "Do you like tea?": [],
    "Can you help me with this?": [],
    "It is broken.": [],
}


@pytest.mark.parametrize("text", MEMORIES)
def test_what_is_worth_remembering_is_proposed(text: str):
    found = extract_memories(Turn(text=text, at=AT))
    assert [(one.type, one.content) for one in found] == MEMORIES[text]


@settings(max_examples=examples(100))
@given(
    parts=st.lists(
        st.one_of(
            st.sampled_from(
                [*RELATIONS, *MEMORIES, "\n", " and ", "Alice: ", "。", "was ", "5 km "]
            ),
            st.text(max_size=8),
        ),
        max_size=8,
    )
)
def test_all_that_is_found_stands_in_the_text(parts: list[str]):
    text = "".join(parts)
    found, grounded = read(text, "Ada"), GroundedText(text)
    for one in found.entities:
        assert one.name in {"Ada", "I"} or grounded.holds(one.name) or one.name in text
    for one in found.relations:
        assert one.fact in text
    for one in extract_memories(Turn(text=text, at=AT)):
        assert one.quote in text
