"""`@name` asks for a sub-agent or forbids it; what a negation may reach never asks for it."""
# ruff: noqa: RUF001 (messages as people write them)

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.subagents.mentions import read_mentions
from tests.counts import examples

NAMES: tuple[str, ...] = ("baker", "poet", "code-reviewer", "x1")
# Messages with whom they ask for | whom they forbid. `\n` is a new line.
ASKED_AND_FORBIDDEN = r"""
Do it yourself, don't use @baker or @poet | | baker poet
without @baker, @x1, and @poet | | baker x1 poet
don't use @baker/@poet | | baker poet
ask @baker/@poet | baker poet |
neither @baker nor @poet | | baker poet
don't use `@baker` or **@poet** | | baker poet
do not use the sub-agent @poet | | poet
Please do not delegate this to @poet | | poet
do not call, ask or use @poet | | poet
DON’T USE @poet | | poet
dont use @poet | | poet
let @baker do it instead of @poet | baker | poet
use @baker rather than @poet or @x1 | baker | poet x1
use @baker, not @poet | baker | poet
@baker and @poet but not @x1 | baker poet | x1
@baker (not @poet) and @x1 look at it | baker x1 | poet
don't use (@baker or @poet), use @x1 | x1 | baker poet
don't use @baker, use @poet | poet | baker
without @baker use @poet | poet | baker
no @baker, no @poet, just @x1 | x1 | baker poet
anyone but @poet | | poet
don't (ever) use @poet | | poet
請不要用 @poet，別讓 @x1 參與 | | poet x1
先让 @baker 查，不行再让 @poet 写 | baker poet |
don't use @baker — use @poet | poet | baker
do it without\n@poet | | poet
Do not use:\n- @baker\n- @poet | | baker poet
don't use @baker\nor @poet | | baker poet
don't use @baker\n@poet write it | poet | baker
don't use @baker. @poet write it | poet | baker
don't forget to ask @poet | poet |
why don't you ask @poet | poet |
Not sure what is wrong; @code-reviewer look at this | code-reviewer |
no problem, @poet write it | poet |
No, @poet should do it | poet |
I can't fix this, @poet please help | poet |
don't change @main.py, @poet fix the verse | poet |
Don't use any libraries, @poet write it plainly | poet |
skip the tests and ask @poet | poet |
@poet don't write more than five lines | poet |
@poet not only writes, @baker bakes | poet baker |
不要用 @baker、@poet 和 @x1 | | baker poet x1
不要用@baker或者@poet，让@x1做 | x1 | baker poet
不要 @poet | | poet
别 @poet | | poet
禁止：@poet、@baker | | poet baker
不要把这个任务交给 @poet | | poet
无需 @poet | | poet
不必让 @poet 参与 | | poet
请勿用 @poet | | poet
除了 @poet 都可以 | | poet
除 @poet 外都可以 | | poet
用 @baker，不用 @poet 以及 @x1 | baker | poet x1
不要用 @baker，改用 @poet | poet | baker
不是 @baker，是 @poet | poet | baker
不要着急，让 @poet 看看 | poet |
别忘了让 @poet 看看 | poet |
能不能让 @poet 看看 | poet |
要不让 @poet 看看 | poet |
特别请 @poet 看看 | poet |
@poet 不要写太长 | poet |
@baker 不要用，用 @poet | poet |
@baker 不要用 @poet | baker | poet
"""
# A negation stands near them, and what it means is not clear: neither asked for nor forbidden.
UNCLEAR = (
    "I have no idea what to write with @poet",
    "I do not know the right question for @poet",
    "never, ever, use @poet",
    "do not, under any circumstances, use @poet",
    "don't start without @poet",
    "don't use bash, python or @poet",
    "不知道该怎么写 @poet",
    "@poet should not be used",
    "@baker and @poet are not needed",
    "keep @poet out of this",
    "@poet 除外",
    "把 @baker 和 @poet 排除在外",
)


def test_messages_ask_for_and_forbid():
    wrong: list[str] = []
    for line in ASKED_AND_FORBIDDEN.strip().splitlines():
        message, use, forbid = line.replace(r"\n", "\n").split("|")
        found = read_mentions(message.strip(), NAMES)
        if found != (tuple(use.split()), tuple(forbid.split())):
            wrong.append(f"{line}: {found}")
    assert wrong == []


def test_what_is_unclear_is_neither():
    assert [text for text in UNCLEAR if read_mentions(text, NAMES) != ((), ())] == []


ENGLISH_NEGATIONS = st.sampled_from(
    [
        "without", "don't use", "do not use", "dont ask", "don\u2019t call", "do not let", "avoid",
        "do not involve", "don't delegate this to", "don't delegate to", "rather than", "never ask",
        "instead of", "do not use the sub-agents", "no", "not", "never", "skip", "exclude",
        "except", "refrain from using", "do not use any of", "must not ask", "please do NOT use",
        "I don't want", "don't bother", "do not use:", "under no circumstances use", "stop using",
    ]
)  # fmt: skip
CHINESE_NEGATIONS = st.sampled_from(
    [
        "不要用", "不要", "别", "别用", "别让", "禁止", "禁止使用", "不要交给", "不要把任务交给", "无需",
        "不必让", "勿用", "请勿", "不用", "不使用", "不需要", "避免", "除了", "不要找", "不要麻烦",
        "禁用", "切勿让", "不许用", "不能用", "没必要让", "不要再让", "不要使用子代理",
    ]
)  # fmt: skip
ENGLISH_CONNECTORS = st.sampled_from(
    [", ", " , ", ",", "/", " / ", " nor ", " or ", " and ", ", and ", ", or ", " & ", ",\n", " + "]
)
CHINESE_CONNECTORS = st.sampled_from(
    [
        "、",
        "\uff0c",
        "和",
        " 和 ",
        "或",
        " 或者",
        "与",
        " 与 ",
        "及",
        "以及",
        " 以及 ",
        "跟",
        " 也不要用 ",
    ]
)
LEADS = st.sampled_from(
    [
        "",
        "Do it yourself, ",
        "Please ",
        "Write it. ",
        "No problem; ",
        "请",
        "你自己做，",
        "写首诗。\n",
    ]
)
TRAILS = st.sampled_from(
    [
        "",
        ".",
        " for this",
        " please",
        ", do it yourself",
        " here!",
        "。",
        " 来做",
        "，自己写",
        "参与",
    ]
)


@st.composite
def name_lists(draw: st.DrawFn, connectors: st.SearchStrategy[str]) -> tuple[str, list[str]]:
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1))
    joins = [draw(connectors) for _ in names[1:]]
    pairs = itertools.zip_longest((f"@{name}" for name in names), joins, fillvalue="")
    return "".join(itertools.chain.from_iterable(pairs)), names


@given(
    LEADS,
    st.one_of(
        st.tuples(ENGLISH_NEGATIONS, name_lists(ENGLISH_CONNECTORS)),
        st.tuples(CHINESE_NEGATIONS, name_lists(CHINESE_CONNECTORS)),
    ),
    st.sampled_from([" ", "  ", "\u00a0", "\n"]),
    TRAILS,
)
@settings(max_examples=examples(600))
def test_who_is_named_only_in_a_refused_list_is_not_asked_for(
    lead: str, refused: tuple[str, tuple[str, list[str]]], space: str, trail: str
):
    negation, (listed, names) = refused
    found = read_mentions(f"{lead}{negation}{space}{listed}{trail}", NAMES)
    assert found.use == ()
    assert found.forbid == tuple(names)


@given(
    LEADS,
    st.one_of(
        st.tuples(
            st.sampled_from(["", "ask ", "use ", "let ", "Don't forget to ask ", "have "]),
            name_lists(ENGLISH_CONNECTORS.filter(lambda one: "nor" not in one)),
        ),
        st.tuples(
            st.sampled_from(["让", "请", "用 ", "交给 ", "分别让", "别忘了让"]),
            name_lists(CHINESE_CONNECTORS.filter(lambda one: "不" not in one)),
        ),
    ),
    TRAILS,
)
@settings(max_examples=examples(300))
def test_who_is_in_a_list_that_is_asked_for_works(
    lead: str, asked: tuple[str, tuple[str, list[str]]], trail: str
):
    request, (listed, names) = asked
    assert read_mentions(f"{lead}{request}{listed}{trail}", NAMES) == (tuple(names), ())


@given(st.lists(st.sampled_from([
    "don't ", "use ", "@poet ", "@baker", ", ", "or ", "and ", "but ", "(", ")", ".", "\n", "- ",
    "不要", "用", "让", "、", "without ", "word ", "not ", "字", ":", "nor ", "@", "/",
]), max_size=40))  # fmt: skip
@settings(max_examples=examples(200))
def test_nobody_is_both_asked_for_and_forbidden(pieces: list[str]):
    found = read_mentions("".join(pieces), NAMES)
    assert not set(found.use) & set(found.forbid)
    assert {*found.use, *found.forbid} <= set(NAMES)


@pytest.mark.parametrize("unit", ["@poet ", "don't use @poet or ", "(", "不", "no\n", " ", "@a-"])
def test_a_long_message_is_read(unit: str):
    text = unit * (100_000 // len(unit))
    assert read_mentions(f"{text}; do it without @baker", NAMES).use == ()
