"""The signature of a task is the same for every month, and another for another task."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.patterns.entities import find_entities
from dataagent_core.patterns.signature import sign_goal
from dataagent_core.patterns.slots import fill_slots
from tests.counts import examples

SAME = [
    (
        "Revenue by region for Q3 2025",
        "revenue by region for Q1 2026",
        "Show me the revenue by region for last month, please",
        "What was the revenue by region in March 2025?",
        "revenue by region for FY25",
        "the revenue by region yesterday",
        "Revenue, by region, since 2024-01-05",
    ),
    ("Compare a.csv with /data/b.csv", "please compare report_2025.xlsx with old.csv"),
    ("orders of customer 4711", "orders of customer 99", "Orders of customer #123"),
    ('Find "blue chairs" in the catalogue', "find “red tables” in the catalogue"),
    ("draw the sales of Acme for 2024", "draw the sales of Globex Corp for 2025"),
    ("summarise https://a.example/x", "Summarise https://b.example/y?z=1"),
    ("top 10 customers", "top 5 customers"),
    ("2025年第三季度各地区收入", "2026年第一季度各地区收入", "上个月各地区收入", "今年各地区收入"),
    ("统计张经理的订单", "请帮我统计李经理的订单", "统计北京某某公司的订单"),
    ("读取 report.csv 并画图", "读取 销售.xlsx 并画图"),
]
DIFFERENT = [
    "Revenue by region",
    "Revenue by product",
    "costs by region",
    "delete the old files",
    "do not delete the old files",
    "convert CSV to JSON",
    "convert JSON to CSV",
    "summarise report.pdf",
    "summarise the minutes",
    "send the report to Slack",
    "send the report to Jira",
    "各地区收入",
    "各产品收入",
    "删除旧文件",
    "不要删除旧文件",
    "把CSV转换成JSON",
    "把JSON转换成CSV",
]


@pytest.mark.requirement("S2-6.5.3")
@pytest.mark.parametrize("goals", SAME)
def test_values_order_and_polite_words_are_no_part_of_it(goals: tuple[str, ...]):
    assert {goal: sign_goal(goal) for goal in goals} == dict.fromkeys(goals, sign_goal(goals[0]))


def test_different_tasks_have_different_signatures():
    assert len({sign_goal(goal) for goal in DIFFERENT}) == len(DIFFERENT)


@settings(max_examples=examples(100))
@given(st.text(st.characters(exclude_categories=())))
def test_it_fits_the_column_of_the_document(goal: str):
    signature = sign_goal(goal)
    assert signature == "" or (len(signature) == 64 and int(signature, 16) >= 0)


@pytest.mark.parametrize(
    "goal",
    [
        "continue", "Continue, please.", "go on", "go ahead", "yes", "fix it", "write it",
        "run it again", "try that again please", "the second one", "proceed",
        "继续", "请继续。", "再试一次", "再运行一遍", "重新生成一次", "就照做吧", "开始吧", "再来一次!",
    ],
)  # fmt: skip
def test_what_depends_on_the_conversation_is_no_task(goal: str):
    assert sign_goal(goal) == ""


@pytest.mark.parametrize(
    "goal", ["run the tests", "report week 12", "写周报", "重新计算销售额", "继续分析华东的销售"]
)
def test_few_words_that_say_what_to_do_are_a_task(goal: str):
    assert sign_goal(goal)


@pytest.mark.parametrize("nothing", ["", "   ", "???", "🎉", "\x00", "\ud800", "12 13", "please"])
def test_a_goal_without_words_has_none(nothing: str):
    assert sign_goal(nothing) == ""


@pytest.mark.parametrize(
    "part", ["revenue ", "a", "1 ", "/", "a.", "删除", "Aaa ", "\"'`", "don't "]
)
def test_a_goal_of_a_megabyte_is_read_at_both_ends(part: str):
    goal = (part * 1_000_000)[:1_000_000]
    assert len(find_entities(goal).terms) <= 24
    assert all(len(term) <= 64 for term in find_entities(goal).terms)


@pytest.mark.parametrize(
    ("goal", "shown"),
    [
        ("Revenue by region for Q3 2025", "Revenue by region for {date}"),
        ("Compare a.csv with /data/b.csv", "Compare {file} with {file}"),
        ("draw the sales of Acme Corp", "draw the sales of {name}"),
        ("2025年第三季度各地区收入", "{date} 各地区收入"),
        ("top 10 customers", "top {number} customers"),
        ("Revenue By Region", "Revenue By Region"),
        ("open the GitHub issue", "open the GitHub issue"),
    ],
)
def test_slots_are_shown_in_their_place(goal: str, shown: str):
    assert fill_slots(goal) == shown
