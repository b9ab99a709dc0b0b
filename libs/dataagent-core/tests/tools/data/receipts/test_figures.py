"""Which numbers of a text are figures, and what they say."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.tools.data.receipts.figures.digit_masks import blank_non_figures
from dataagent_core.tools.data.receipts.figures.figure import Figure
from dataagent_core.tools.data.receipts.figures.figure_reader import read_figures
from dataagent_core.tools.data.receipts.figures.text_folds import fold_text, narrow_text


def only(text: str) -> Figure:
    figures = read_figures(text)
    assert len(figures) == 1, figures
    return figures[0]


@pytest.mark.parametrize(
    ("text", "shown", "value", "step"),
    [
        ("sold 1,234,567 units", "1,234,567", "1234567", "1"),
        ("sold 1 234 567 units", "1 234 567", "1234567", "1"),
        ("sold 1\u202f234\u202f567 units", "1\u202f234\u202f567", "1234567", "1"),
        ("sold 1'234 units", "1'234", "1234", "1"),
        ("12,34,567 rupees", "12,34,567", "1234567", "1"),
        ("it was 3.50", "3.50", "3.50", "0.01"),
        ("it was $1.5M", "$1.5M", "1500000", "100000"),
        ("it was $1.5bn", "$1.5bn", "1500000000", "100000000"),
        ("it was 5.2 million", "5.2 million", "5200000", "100000"),
        ("it was 12k", "12k", "12000", "1000"),
        ("it was -3.5 degrees", "-3.5", "-3.5", "0.1"),
        ("it was \u22123.5 degrees", "\u22123.5", "-3.5", "0.1"),
        ("it was -$40", "-$40", "-40", "1"),
        ("it was 1.2e6", "1.2e6", "1200000", "100000"),
        ("it was 1.2\u00d710^6", "1.2\u00d710^6", "1200000", "100000"),
        ("**42** orders were late", "42", "42", "1"),
        ("`1,234` in all", "1,234", "1234", "1"),
        ("销售额1.2万元", "1.2万", "12000", "1000"),
        ("销售额 3亿2000万 元", "3亿2000万", "320000000", "10000"),
        ("市值约 1.5万亿 元", "1.5万亿", "1500000000000", "100000000000"),
        ("营收¥3,200元", "¥3,200", "3200", "1"),
        (
            "共\uff11\uff0c\uff12\uff13\uff14元",
            "\uff11\uff0c\uff12\uff13\uff14",
            "1234",
            "1",
        ),
        ("卖出三百二十万件", "三百二十万", "3200000", "100000"),
        ("卖出一千二百三十四件", "一千二百三十四", "1234", "1"),
        ("disk use is 512GB", "512", "512", "1"),
    ],
)
def test_a_number_is_read_with_its_scale_and_last_digit(
    text: str, shown: str, value: str, step: str
):
    figure = only(text)
    assert (figure.text, figure.value, figure.step) == (shown, Decimal(value), Decimal(step))
    assert text[figure.start : figure.end] == shown


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("up 12.3%", "percent", "12.3"),
        ("up 12.3 percent", "percent", "12.3"),
        ("增长百分之12.5", "percent", "12.5"),
        ("下降3个百分点", "points", "3"),
        ("down 1.5 percentage points", "points", "1.5"),
        ("2.5x as many", "ratio", "2.5"),
        ("是去年的 2.5 倍", "ratio", "2.5"),
        ("down -4.2%", "percent", "-4.2"),
        ("增长\uff11\uff12\uff0e\uff13\uff05", "percent", "12.3"),
    ],
)
def test_a_rate_is_told_from_a_number(text: str, kind: str, value: str):
    figure = only(text)
    assert (figure.kind, figure.value) == (kind, Decimal(value))


@pytest.mark.parametrize(
    "text",
    [
        "on 2024-05-01, 2024/5/1, 01.05.2024 or May 3, 2024 at 12:30:05",
        "2024年5月1日,5月3日,2024年,3月份,10点30分",
        "in Q3 2024, 2024Q1, FY2024, H2 and 2023-2024",
        "1st, 2nd, 第3名, 第十二",
        "1. first\n2. second\n3) third\n- 4. fourth",
        "# 2.1 Revenue\n\n### 3 Costs",
        "v1.2.3, version 2.0, Python 3.11, 1.2.3",
        "r_ab12cd34ef56 and [r_ab12cd34ef56: sum(a) / sum(b)]",
        "commit 3f2a9c1 and 550e8400-e29b-41d4-a716-446655440000",
        "call +86 138 0013 8000 or 138-0013-8000 or (555) 123-4567",
        "see https://example.org/a/12?b=34 and /data/2024/file_7.csv",
        "```sql\nSELECT 42 FROM t LIMIT 10\n```",
        "`amount > 500` and `LIMIT 20`",
        "utf8, UTF-8, COVID-19, P95, A100, x86_64, col_2",
        "table 2, step 4, section 3.1, page 12, 表1,图 2",
        "top 10 products of the last 30 days; 前5名,近30天,过去12个月",
        "a 7-day window, 24/7",
        "10.0.0.1:8080",
        "Call 555-0142, tel 021 6234 5678, hotline 95588, 电话 010-62345678, 手机 138 1234 5678",
        "Error 404 was returned, error code 1064, status 403, exit code 137, 错误 404, 状态码 500",
        "open 24 hours a day, 7 days a week, answered over 48 hours, 24小时营业",
        "at the 95% confidence level (99% CI), 95%置信区间, 置信度 90%, significant at 5%, p < 0.05",
        "SKU 12345, customer id 4711, 编号 4711, zip 94105, account 007",
        "aged 18-24 and 25-34岁, 30-year-olds",
        "In 2025 **Grocery** led; in 2024, it was Toys, since 2019 the best year 2023.",
    ],
)
def test_dates_ordinals_ids_and_code_are_no_figures(text: str):
    assert [figure.text for figure in read_figures(text) if not figure.doubtful] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the sample (n=246)", "246"),
        ("n = 1,024", "1,024"),
        ("共120单", "120"),
        ("共有 120 单", "120"),
        ("Mobile: 12345 orders", "12345"),
        ("Phone 5550142", "5550142"),
        ("there were 404 errors", "404"),
        ("错误 404 次", "404"),
        ("the average delivery took 24 hours", "24"),
        ("平均耗时 48 小时", "48"),
        ("a 95% share", "95%"),
        ("there are 90 days without a sale", "90"),
        ("the range is 100-2500", "100"),
    ],
)
def test_what_data_says_is_a_figure_beside_words_that_often_are_none(text: str, shown: str):
    assert read_figures(text)[0].text == shown


def test_a_span_that_nobody_counted_is_doubtful():
    assert only("We looked back for 90 days.").doubtful
    assert not only("There are 90 days without a sale.").doubtful
    assert not only("| East | 90 days |").doubtful


def test_a_year_and_a_small_count_in_a_sentence_are_doubtful():
    text = "Of 2024 and later, 3 regions stand out for 2 reasons."
    assert [(figure.text, figure.doubtful) for figure in read_figures(text)] == [
        ("2024", True),
        ("3", True),
        ("2", True),
    ]


@pytest.mark.parametrize(
    "text", ["East: 7", "| East | 7 |", "There are 7 regions", "共有 7 个地区", "**East**: **7**"]
)
def test_a_small_number_that_is_said_of_something_is_a_figure(text: str):
    assert not only(text).doubtful


def test_the_first_number_of_a_range_takes_the_unit_of_the_second():
    first, second, low, high = read_figures("10-12% of 1.2-1.5万")
    assert (first.kind, second.kind) == ("percent", "percent")
    assert (low.value, high.value) == (Decimal(12_000), Decimal(15_000))


def test_parentheses_may_be_a_minus():
    assert only("a loss of (1,234)").sign_free


def test_numbers_of_a_list_in_chinese_are_not_grown_together():
    figures = read_figures("东部80\uff0c120 是西部")
    assert [figure.text for figure in figures] == ["80", "120"]


@given(st.text(max_size=200))
def test_any_text_is_read_and_every_figure_lies_where_it_says(text: str):
    end = 0
    for figure in read_figures(text):
        assert text[figure.start : figure.end] == figure.text
        assert figure.start >= end
        assert figure.step > 0
        end = figure.end


@given(st.text(alphabet="0123456789.,%-万亿千年月 :|`()kKmM第$¥\n/eE+", max_size=80))
def test_texts_full_of_digits_are_read_too(text: str):
    end = 0
    for figure in read_figures(text):
        assert text[figure.start : figure.end] == figure.text
        assert figure.start >= end
        end = figure.end


@given(st.text(max_size=200))
def test_folding_and_masking_move_no_character(text: str):
    assert (
        len(fold_text(text)) == len(narrow_text(text)) == len(blank_non_figures(text)) == len(text)
    )


@given(
    value=st.decimals(min_value=13, max_value=10**12, places=2, allow_nan=False),
    style=st.sampled_from(["{:,.2f}", "{:.2f}", "${:,.2f}", "{:,.2f} 元", "**{:,.2f}**"]),
)
def test_a_printed_number_is_read_back(value: Decimal, style: str):
    figure = only(f"The value is {style.format(value)} today")
    assert figure.value == value
    assert figure.tolerance == Decimal("0.005")
