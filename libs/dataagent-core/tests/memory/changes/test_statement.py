"""What a text says something about, and since when it is true."""

from datetime import UTC, datetime

import pytest

from dataagent_core.memory.changes.moments import Validity, read_validity
from dataagent_core.memory.changes.statement import SubjectStatement, contradicts, read_statement
from dataagent_core.memory.changes.text_likeness import is_like

NOW = datetime(2026, 11, 20, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "subject", "value"),
    [
        ("I live in Berlin", "i live in", "berlin"),
        ("The user now lives in New York", "i live in", "new york"),
        ("I moved to Paris", "i live in", "paris"),
        ("Anna lives in Rome.", "anna live in", "rome"),
        ("I work at ACME as an engineer", "i work at", "acme"),
        ("My name is Ada", "i name", "ada"),
        ("My editor is vim", "i editor", "vim"),
        ("The user's editor is Emacs", "i editor", "emacs"),
        ("Our database is PostgreSQL 16", "we database", "postgresql 16"),
        ("The deadline of the Alpha project is May 5", "the deadline of alpha project", "may 5"),
        ("I like green tea", "i like green tea", "yes"),
        ("I no longer like green tea", "i like green tea", "no"),
        ("I hate green tea", "i like green tea", "no"),
        ("I prefer dark mode", "i prefer mode", "dark"),
        ("I have 3 cats", "i have cats", "3"),
        ("We use Postgres as our database", "we use as database", "postgres"),
        ("We decided to use Postgres for billing", "we decide for billing", "postgres"),
        ("We decided to ship on Friday", "we decide ship on friday", "yes"),
        ("We decided not to ship on Friday", "we decide ship on friday", "no"),
        ("我住在北京", "i live in", "北京"),
        ("用户现在住在上海", "i live in", "上海"),
        ("我在腾讯工作", "i work at", "腾讯"),
        ("我叫小明", "i name", "小明"),
        ("我喜欢喝茶", "i like 喝茶", "yes"),
        ("我不喜欢喝茶", "i like 喝茶", "no"),
        ("我有三只猫", "i have 猫", "三"),
        ("我们决定使用MySQL作为数据库", "we decide for 数据库", "mysql"),
        ("我们的截止日期改为6月1日", "we 截止日期", "6 月 1 日"),
        ("我最喜欢的颜色是蓝色", "i 最喜欢的颜色", "蓝色"),
    ],
)
def test_a_statement_of_a_known_form_has_a_subject(text: str, subject: str, value: str):
    assert read_statement(text) == SubjectStatement(subject, value)


@pytest.mark.parametrize(
    "text",
    [
        "The deploy script is slow",
        "My car is red",
        "I live in Berlin. I work at ACME.",
        "Do I live in Berlin?",
        "If I lived in Paris, I would be late",
        "今天天气不错",
        "",
        "🎉",
    ],
)
def test_what_is_of_no_form_has_none(text: str):
    assert read_statement(text) is None


def test_values_of_one_subject_contradict_and_other_words_for_one_value_do_not():
    assert contradicts("I live in Berlin", "I moved to Paris")
    assert not contradicts("I live in Berlin", "The user lives in Berlin")
    # Of a subject that was given by hand, other words are another value.
    assert contradicts("Berlin since spring", "Paris")


def moment(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "valid_from", "valid_to"),
    [
        ("I live in Paris since 2020", moment(2020), None),
        ("since March 2021", moment(2021, 3), None),
        ("since 5 March 2021", moment(2021, 3, 5), None),
        ("since 2021-03-05", moment(2021, 3, 5), None),
        ("from 2019 to 2021", moment(2019), None),
        ("I rent the flat until 2030", None, moment(2031)),
        ("valid until December 2029", None, moment(2030)),
        ("I lived in Rome until 2020", None, None),
        ("Last year I moved to Rome", moment(2025), None),
        ("I moved last month", moment(2026, 10), None),
        ("I moved last week", moment(2026, 11, 13), None),
        ("yesterday", moment(2026, 11, 19), None),
        ("from 2028 I live in Rome", moment(2028), None),
        ("since 2020-02-31", None, None),
        ("version 2020", None, None),
        ("自2020年起我住在上海", moment(2020), None),
        ("从2021年3月开始", moment(2021, 3), None),
        ("去年我搬到了北京", moment(2025), None),
        ("合同到2030年为止", None, moment(2031)),
    ],
)
def test_moments_in_a_text_are_read(
    text: str, valid_from: datetime | None, valid_to: datetime | None
):
    assert read_validity(text, NOW) == Validity(valid_from, valid_to)


def test_the_month_before_january_is_december():
    assert read_validity("last month", moment(2026, 1, 9)).valid_from == moment(2025, 12)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Berlin", "I live in  berlin!"),
        ("I like tea", "The user likes tea."),
        ("The deploy script needs Python 3.11", "Deploy script needs python 3.11"),
        ("I prefer dark mode in the editor", "I prefer the dark mode in my editor"),
        ("I do not like tea", "I don't like tea"),
        ("我喜欢喝绿茶", "用户喜欢喝绿茶。"),
    ],
)
def test_near_duplicates_are_alike(one: str, other: str):
    assert is_like(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I take 10 mg after breakfast", "I take 20 mg after breakfast"),
        ("I take 3.5 mg", "I take 3, 5 mg"),
        ("I like tea", "I don't like tea"),
        ("Ann hired Bob", "Bob hired Ann"),
        ("Ann lives near the old station", "Bob lives near the old station"),
        ("I live in Berlin", "I work in Berlin"),
        ("我喜欢喝绿茶", "我喜欢喝红茶"),
        ("我喜欢喝茶", "我不喜欢喝茶"),
        ("I use C++", "I use C#"),
        ("I like 🎉", "I like 🎂"),
        ("It costs $5", "It costs €5"),
        ("It is -5 degrees", "It is 5 degrees"),
        ("the", "a"),
        ("", ""),
    ],
)
def test_what_differs_in_a_number_a_name_a_verb_or_a_negation_is_not(one: str, other: str):
    assert not is_like(one, other)
