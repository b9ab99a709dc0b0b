"""Five criteria say how much work a message is; what is quoted, pasted or a name says nothing."""
# ruff: noqa: RUF001 (messages as people write them)

import pytest
from complexity_corpus import load_messages
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.planning.complexity import (
    Complexity,
    ComplexityCriterion,
    ComplexityTerms,
    QueryComplexity,
    classify,
)
from tests.counts import examples

AGREEMENT_MIN = 0.9
REQUESTS = (
    "load the orders",
    "fix the parser",
    "rename the folder",
    "删除旧日志",
    "更新说明页",
    "运行测试",
)
# What a person pastes; each asks for six things, if it is read as a person's words.
PASTED = (
    "```\nanalyse Q3 and Q4, compare them, write a report, draw a chart, send it, archive it\n```",
    "> 分析 Q3 和 Q4,比较收入,写一份报告,画图,发给董事会,归档",
    '"compare 2022 and 2023, find the drops, write a report, build a deck, send it, archive it"',
    "2025-03-04 10:22:31 INFO 分析过去 6 个月,比较收入,写报告,画图,导出文件,删除日志",
    "Traceback (most recent call last):\n    compare(q3, q4), analyse(q1), report()\nValueError: 分析",
    "    list the users, compare them, write a report, send it, delete it, load it",
    "“比较今年和去年的订单,分析原因,写一份报告,画图,导出,发给客户”",
    "src/analyse_compare_report.py",
)


def reasons(found: Complexity) -> dict[str, tuple[str, ...]]:
    return {one.criterion.value: one.words for one in found.reasons}


@pytest.mark.requirement("S2-6.2")
@pytest.mark.parametrize(
    ("message", "criterion", "words"),
    [
        ("x" * 101, "length", ()),
        ("好" * 101, "length", ()),
        ("list the users and delete the oldest one", "requests", ("list", "delete")),
        ("Open it. Also the other one.", "requests", ("open", "also")),
        ("Is it up? Who stopped it?", "requests", ("is it up", "who stopped it")),
        ("1. load it\n2. sort it", "requests", ("load", "sort")),
        ("查询订单数量和画一张图", "requests", ("查询", "画")),
        ("看看日志，另外重启网关", "requests", ("看", "重启")),
        ("列出合同，还有付款期限", "requests", ("列出", "还有")),
        ("analyse it", "analysis", ("analyse",)),
        ("Compare both", "analysis", ("compare",)),
        ("a short report", "analysis", ("report",)),
        ("Summarize it", "analysis", ("summarize",)),
        ("分析一下", "analysis", ("分析",)),
        ("比较这两个", "analysis", ("比较",)),
        ("综合一下意见", "analysis", ("综合",)),
        ("写报告", "analysis", ("报告",)),
        ("sales in Q3 and Q4", "time_span", ("q3", "q4")),
        ("the last six months", "time_span", ("last six months",)),
        ("from 2022 to 2024", "time_span", ("2022", "2024")),
        ("between May and August", "time_span", ("may", "august")),
        ("Q3 和 Q4 的销量", "time_span", ("q3", "q4")),
        ("过去 6 个月的销量", "time_span", ("过去 6 个月",)),
        ("今年和去年的销量", "time_span", ("今年", "去年")),
        ("三月到五月", "time_span", ("三月", "五月")),
        (
            "customers, servers and contracts",
            "domains",
            ("customers", "servers", "contracts"),
        ),
        ("客户、服务器和合同", "domains", ("客户", "服务器", "合同")),
    ],
)
def test_each_criterion_holds_by_itself_and_names_its_words(
    message: str, criterion: str, words: tuple[str, ...]
):
    assert reasons(classify(message)) == {criterion: words}


@pytest.mark.requirement("S2-6.2")
@given(st.lists(st.sampled_from(REQUESTS), min_size=1, max_size=9), st.sampled_from(["\n", ". "]))
@settings(max_examples=examples(100))
def test_s2_6_2_requests_are_steps_and_steps_make_the_class(asked: list[str], end: str):
    found = classify(end.join(asked), ComplexityTerms(length_chars=1_000, domains_min=99))
    assert found.requests == found.steps == len(asked)
    border = 0 if len(asked) < 3 else 1 if len(asked) < 6 else 2
    assert found.level == list(QueryComplexity)[border]


@given(st.text(max_size=300), st.integers(1, 400))
@settings(max_examples=examples(100))
def test_a_text_is_long_by_its_own_border(text: str, length_chars: int):
    found = classify("好" * len(text), ComplexityTerms(length_chars=length_chars))
    is_long = ComplexityCriterion.LENGTH in {one.criterion for one in found.reasons}
    assert is_long == (len(text) > length_chars)


@given(st.text(max_size=2_000))
@settings(max_examples=examples(200))
def test_any_text_has_a_class_and_the_same_one_each_time(text: str):
    assert classify(text) == classify(text)


@given(
    st.lists(st.sampled_from(PASTED), max_size=4),
    st.sampled_from(["Why?", "这是什么意思?", "go on"]),
)
@settings(max_examples=examples(100))
def test_what_is_pasted_makes_nothing_complex(pasted: list[str], question: str):
    message = "\n".join([question, *pasted])
    assert classify(message).level is QueryComplexity.SIMPLE
    assert classify(message).requests == classify(question).requests


@pytest.mark.parametrize(
    "message",
    [
        "",
        "go",
        "Write hello to a.txt",
        "What is 2+2?",
        "run ls, then read a.txt",
        "Make a chart of sales by month",
        "Which customers of which products ordered in Q3 and Q4, by server, contract and ticket?",
        "No analysis, no comparison, no report: restart the worker",
        "不要分析，也不用写报告，重启网关就行",
        "用户上传文件失败",
        "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)",
    ],
)
def test_a_plain_task_is_simple(message: str):
    assert classify(message).level is QueryComplexity.SIMPLE


def test_polite_words_and_two_languages_in_one_message_change_nothing():
    plain = classify("compare Q3 and Q4, draw a chart")
    polite = classify("Hi, could you please compare Q3 and Q4, and then kindly draw a chart?")
    mixed = classify("请 compare Q3 和 Q4, 然后画一张 chart")
    assert plain.requests == polite.requests == mixed.requests == 2
    assert plain.level == mixed.level == polite.level == QueryComplexity.MODERATE


def test_a_name_or_a_quotation_before_a_verb_hides_no_request():
    for message in (
        "@code-reviewer sort it, save it",
        '"a b" sort it, save it',
        "@ops 删除它，更新它",
    ):
        assert classify(message).requests == 2


def test_the_borders_are_arguments():
    terms = ComplexityTerms(requests_min=1, moderate_steps_min=1, complex_steps_min=2)
    assert reasons(classify("sort it", terms)) == {"requests": ("sort",)}
    assert classify("sort it", terms).level is QueryComplexity.MODERATE
    assert classify("sort it, save it", terms).level is QueryComplexity.COMPLEX


@pytest.mark.requirement("F21-1-labels")
def test_the_class_agrees_with_labels_given_by_hand():
    messages = load_messages()
    wrong = [one for one in messages if classify(one.text).level != one.level]
    assert len(messages) == 60
    assert 1 - len(wrong) / len(messages) >= AGREEMENT_MIN, wrong
    # Nobody pays for a plan of what takes a step or two.
    assert not [one for one in wrong if one.level is QueryComplexity.SIMPLE]


def test_punctuation_of_either_width_reads_the_same():
    narrow = str.maketrans("，。：？！；", ",.:?!;")
    for one in load_messages():
        assert classify(one.text.translate(narrow)).level == classify(one.text).level, one.text
