"""Ids, numbers, dates, file names and greetings fire no built-in skill and choose no sub-agent."""

import asyncio
from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dataagent_core.config import Settings
from dataagent_core.models.embeddings import resolve_embedder
from dataagent_core.models.embeddings.message_ids import remove_ids
from dataagent_core.skills import (
    Skill,
    SkillScope,
    SkillTrigger,
    TriggerPattern,
    built_in_folder,
    load_folder,
)
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
@example("reporter bar_tmp.py")
@example("你好 502")
def test_messages_without_meaning_fire_nothing_that_is_built_in(message: str):
    async def fire() -> tuple[list[str], tuple[str, ...]]:
        fired = [each.skill.name for each in await SKILLS.match(message)]
        return fired, (await SUBAGENTS.route(message)).chosen

    assert asyncio.run(fire()) == ([], ())


MESSAGES_WITH_MEANING = st.sampled_from(
    ["write", "review", "review this code", "find it in the file", "why did it fail?", "hello",
     "a colleague changes nothing of ours", "summarize the results for the team", "look it up on the web",
     "production is down, what happened", "what do we know about Anna", "查一下日志", "写一份月报",
     "统计一下销售额", "the office is closed"]
)  # fmt: skip
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@st.composite
def keys(draw: st.DrawFn) -> str:
    """Draw a random key as services give them out, with a digit."""
    prefix, signs, size = draw(
        st.sampled_from(
            [
                ("sk-proj-", BASE62 + "_-", 48),
                ("sk_live_", BASE62, 24),
                ("ghp_", BASE62, 36),
                ("AKIA", BASE62[:36], 16),
                ("", BASE62 + "+/", 40),
                ("", BASE62[:16].lower(), 40),
                ("sha256:", "0123456789abcdef", 64),
                ("xoxb-123456789012-", BASE62, 24),
                ("01", BASE62[:36], 24),
            ]
        )
    )
    random = Random(draw(st.integers(0, 2**64)))
    return prefix + "".join(random.choices(signs, k=size - 1)) + str(random.randrange(10))


URLS = st.tuples(
    st.sampled_from(["https://", "http://", "postgresql://", "www."]),
    st.sampled_from(["example.com", "review.example.org:8080", "logs.internal"]),
    st.sampled_from(["", "/write/report/code-review", "/outage?error=500&data=sql#skill"]),
).map("".join)
EMAILS = st.tuples(
    st.sampled_from(["anna", "code.review", "sales+report", "incident_triage"]),
    st.sampled_from(["@example.com", "@skills.example.org"]),
).map("".join)
DATES = st.datetimes().flatmap(
    lambda at: st.sampled_from(
        [
            at.date().isoformat(),
            f"{at:%Y-%m-%d %H:%M:%S}",
            at.isoformat(timespec="seconds") + "Z",
            f"{at.day} {at:%B} {at.year:04}",
            f"{at:%b} {at.day}, {at.year:04}",
            f"{at:%H:%M:%S}",
            f"{at.year:04}年{at.month}月{at.day}日",
        ]
    )
)
NUMBERS_ONLY = st.one_of(
    st.integers(0).map(str),
    st.integers(0).map("{:,}".format),
    st.integers(0, 100).map("{}%".format),
)
# With a digit: a hash of letters alone may be a word.
HASHES = st.tuples(st.sampled_from("0123456789"), HEX).map("".join)
IDS = st.one_of(
    st.uuids().map(str), HASHES, NUMBERS_ONLY, DATES, URLS, EMAILS, keys(),
    st.integers(0, 999_999).map("secret{:06}b".format),
)  # fmt: skip


@given(
    message=MESSAGES_WITH_MEANING, ids=st.lists(IDS, min_size=1, max_size=3), is_first=st.booleans()
)
@settings(max_examples=examples(400))
@example(message="review", ids=["secret000123b"], is_first=False)
@example(message="find it in the file", ids=["907b9040-ab6a-adde-a145-72d6e8a92624"], is_first=True)
@example(message="hello", ids=["https://example.com/outage"], is_first=False)
def test_ids_dates_addresses_and_keys_do_not_decide_what_fits(
    message: str, ids: list[str], *, is_first: bool
):
    async def match(text: str) -> tuple[list[tuple[str, float]], tuple[str, ...], bool]:
        fired = [(each.skill.name, each.score) for each in await SKILLS.match(text)]
        route = await SUBAGENTS.route(text)
        return fired, route.chosen, route.is_unsure

    parts = (*ids, message) if is_first else (message, *ids)
    assert asyncio.run(match(" ".join(parts))) == asyncio.run(match(message))


def test_words_and_names_with_a_digit_stay_words():
    for text in ("k8s p95 sha256 oauth2 log4j ipv6 a11y", "getUserNameById Base64Encoder PostgreSQL",
                 "test_colleague_changes_nothing macOS XMLHttpRequest"):  # fmt: skip
        assert remove_ids(text) == text


async def test_an_id_that_an_author_writes_is_a_word():
    audit = Skill(
        id="a",
        name="iso-27001",
        description="Checks the controls of a company for 20 weeks.",
        content="",
        trigger=SkillTrigger(phrases=("iso 27001 audit",)),
    )
    matcher = SkillMatcher([audit], EMBEDDER)
    assert [each.skill.name for each in await matcher.match("what does iso 27001 say")] == [
        "iso-27001"
    ]
    assert await matcher.match("what does 20 say") == []


async def test_a_pattern_that_names_an_address_sees_it():
    pattern = TriggerPattern(pattern=r"/example\.org\/shop\/pull/", weight=1.0)
    one = Skill(
        id="a", name="shop", description="x", content="", trigger=SkillTrigger(patterns=(pattern,))
    )
    matcher = SkillMatcher([one], EMBEDDER)
    assert await matcher.match("see https://git.example.org/shop/pull/3")


def test_everyday_sentences_with_a_word_of_a_skill_fire_nothing():
    messages = (
        "the dress code", "morse code", "the building code", "a graph of friends", "the weather report",
        "the memory of my grandmother", "quality of sleep", "document my travels", "security at the airport",
        "怎么提高记忆力", "的数据", "这个问题怎么解决", "会议室在哪", "检查一下作业", "分析一下这首诗", "昨天的比赛结果是什么",
        "内容是什么", "问题描述", "项目什么时候开始", "这个工具怎么用", "服务员很热情", "如何安排时间", "文件在哪", "总结一下",
    )  # fmt: skip

    async def fire() -> dict[str, list[str]]:
        return {text: [each.skill.name for each in await SKILLS.match(text)] for text in messages}

    assert asyncio.run(fire()) == {text: [] for text in messages}


def test_words_that_only_contain_those_of_a_pattern_fire_nothing():
    messages = (
        "preview the changes", "a review of prices", "underwrite a policy for the ship",
        "overwrite the readme", "make the reporter happy", "decypher the letter",  "latest reskilling plan", "rewrite reports.py", "共1502条记录",
    )  # fmt: skip

    async def fire() -> dict[str, list[str]]:
        return {text: [each.skill.name for each in await SKILLS.match(text)] for text in messages}

    assert asyncio.run(fire()) == {text: [] for text in messages}
