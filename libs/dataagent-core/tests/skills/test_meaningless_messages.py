"""Ids, numbers, dates, file names and greetings fire no built-in skill and choose no sub-agent."""

import asyncio

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dataagent_core.config import Settings
from dataagent_core.models.embeddings import resolve_embedder
from dataagent_core.skills import SkillScope, built_in_folder, load_folder
from dataagent_core.skills.match import SkillMatcher
from dataagent_core.subagents.built_in_subagents import built_in_subagents
from dataagent_core.subagents.subagent_matcher import SubAgentMatcher
from tests.counts import examples

EMBEDDER = resolve_embedder(Settings())
SKILLS = SkillMatcher(load_folder(built_in_folder(), SkillScope.SYSTEM).skills, EMBEDDER)
SUBAGENTS = SubAgentMatcher(built_in_subagents(), EMBEDDER)

# Parts of names that stand for nothing that a skill or a sub-agent is for.
NAME_PARTS = st.sampled_from(
    ["foo", "bar", "tmp", "x1", "node", "value", "secret", "qux", "left", "b"]
)
DIGITS = st.text("0123456789", min_size=1, max_size=12)
HEX = st.text("0123456789abcdef", min_size=4, max_size=40)
IDENTIFIERS = st.one_of(
    st.lists(NAME_PARTS, min_size=1, max_size=3).map("_".join),
    st.lists(NAME_PARTS, min_size=1, max_size=3).map(lambda parts: "".join(map(str.title, parts))),
    st.tuples(NAME_PARTS, DIGITS, st.sampled_from(["", "a", "-2"])).map("".join),
)
# A suffix joins the short words of a pattern with what stands around them: "room", "50312".
INSIDE_WORDS = st.sampled_from(
    [
        "room",
        "zoomed",
        "preview",
        "reporter",
        "decyphered",
        "reskilled",
        "guideline",
        "1500",
        "950312",
    ]
)
NUMBERS = st.one_of(
    st.integers().map(str),
    st.floats(allow_nan=False, allow_infinity=False, width=32).map("{:,.2f}".format),
    st.integers(400, 600).map(str),
)
TIMES = st.one_of(st.dates().map(str), st.datetimes().map(str), st.times().map(str))
FILES = st.tuples(
    IDENTIFIERS, st.sampled_from([".py", ".txt", ".parquet", ".png", ".tar.gz", ".bak"])
)
GREETINGS = st.sampled_from(
    ["hello", "hi", "hey there", "good morning", "ok", "thanks", "thank you!", "yes", "no", "go on",
     "你好", "您好", "早上好", "谢谢", "好的", "继续", "嗯", "再见", "rows", "the"]
)  # fmt: skip
WORDS = st.one_of(
    IDENTIFIERS, INSIDE_WORDS, NUMBERS, DIGITS, HEX, st.uuids().map(str), TIMES, FILES.map("".join), GREETINGS
)  # fmt: skip
MESSAGES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


@given(message=MESSAGES)
@settings(max_examples=examples(400))
@example("hello secret000502a")
@example("1500 rows")
@example("7f3c5032")
@example("row 503")
@example("你好 502")
def test_messages_without_meaning_fire_nothing_that_is_built_in(message: str):
    async def fire() -> tuple[list[str], tuple[str, ...]]:
        fired = [each.skill.name for each in await SKILLS.match(message)]
        return fired, (await SUBAGENTS.route(message)).chosen

    assert asyncio.run(fire()) == ([], ())


# A message with room for an id; what fits must not depend on which one stands there.
WITH_ID = st.sampled_from(
    ["write {}", "review {}", "find {} in the file", "order {} please", "why did {} fail?",
     "summarize {} for the team", "look up {} on the web", "查一下 {} 的日志"]
)  # fmt: skip
# With a digit: a hash of letters alone is a word.
HASHES = st.tuples(st.sampled_from("0123456789"), HEX).map("".join)
IDS = st.one_of(
    st.uuids().map(str), HASHES, st.integers(1_000, 10**9).map(str),
    st.integers(0, 999_999).map("secret{:06}b".format),
)  # fmt: skip


@given(message=WITH_ID, one=IDS, other=IDS)
@settings(max_examples=examples(200))
@example("review {}", "secret000123b", "20241118")
@example("find {} in the file", "907b9040-ab6a-adde-a145-72d6e8a92624", "secret000502a")
def test_which_id_stands_in_a_message_does_not_decide_what_fits(message: str, one: str, other: str):
    async def match(text: str) -> tuple[list[tuple[str, float]], tuple[str, ...], bool]:
        fired = [(each.skill.name, each.score) for each in await SKILLS.match(text)]
        route = await SUBAGENTS.route(text)
        return fired, route.chosen, route.is_unsure

    assert asyncio.run(match(message.format(one))) == asyncio.run(match(message.format(other)))


def test_words_that_only_contain_those_of_a_pattern_fire_nothing():
    messages = (
        "preview the changes", "a review of prices", "underwrite a policy for the ship",
        "overwrite the readme", "make the reporter happy", "decypher the letter",  "latest reskilling plan", "rewrite reports.py", "共1502条记录",
    )  # fmt: skip

    async def fire() -> dict[str, list[str]]:
        return {text: [each.skill.name for each in await SKILLS.match(text)] for text in messages}

    assert asyncio.run(fire()) == {text: [] for text in messages}
