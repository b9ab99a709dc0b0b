"""A chart as plain text: fits the width, keeps to the spec, and obeys nothing in the data."""

from typing import Any

from dataagent_core.tools.data.charts.chart_theme import count_terminal_columns
from dataagent_core.tools.data.charts.terminal_chart import render_terminal_chart


def spec(mark: str, rows: list[dict[str, Any]], **encoding: dict[str, Any]) -> dict[str, Any]:
    return {"title": "T", "mark": mark, "data": {"values": rows}, "encoding": encoding}


NOMINAL, NUMBER = {"field": "city", "type": "nominal"}, {"field": "n", "type": "quantitative"}


def test_bars_are_as_long_as_their_values_and_the_greatest_comes_first():
    rows = [{"city": "a", "n": 1}, {"city": "b", "n": 4}]
    text = render_terminal_chart(spec("bar", rows, x=NOMINAL, y=NUMBER), 40).splitlines()
    assert text[1].startswith("b ")
    assert text[1].count("█") // text[2].count("█") == 4
    assert text[1].endswith(" 4")


def test_chinese_names_keep_the_bars_in_line():
    rows = [{"city": "北京市", "n": 2}, {"city": "ab", "n": 2}]
    _, first, second = render_terminal_chart(
        spec("bar", rows, y=NOMINAL, x=NUMBER), 40
    ).splitlines()
    assert count_terminal_columns(first.split("█")[0]) == count_terminal_columns(
        second.split("█")[0]
    )


def test_no_line_is_wider_than_the_terminal():
    rows = [{"city": "很长的名字" * 20, "n": n} for n in range(60)]
    for mark in ("bar", "line", "rect", "arc"):
        for width in (30, 79, 200):
            text = render_terminal_chart(
                spec(mark, rows, x=NOMINAL, y=NUMBER, theta=NUMBER, color=NOMINAL), width
            )
            assert max(count_terminal_columns(line) for line in text.splitlines()) <= width


def test_a_line_begins_low_and_ends_high_when_it_rises():
    rows = [{"at": f"2025-{m:02}-01T00:00:00", "n": m} for m in range(1, 13)]
    text = render_terminal_chart(
        spec("line", rows, x={"field": "at", "type": "temporal"}, y=NUMBER), 60
    )
    lines = text.splitlines()
    assert lines[1].rstrip().endswith("●")
    assert lines[-2].split("┤")[1].startswith("●")
    assert lines[-1].split() == ["2025-01-01", "2025-12-01"]


def test_control_characters_in_the_data_reach_no_terminal():
    rows = [{"city": "\x1b[31mred\x07\n\u202e", "n": 1}]
    text = render_terminal_chart(spec("bar", rows, x=NOMINAL, y=NUMBER), 60)
    assert not {"\x1b", "\x07", "\u202e"} & set(text)
    assert len(text.splitlines()) == 2


def test_what_cannot_be_plotted_is_listed():
    layered = {"title": "T", "layer": [], "data": {"values": [{"a": 1}, {"a": 2}]}}
    assert render_terminal_chart(layered).splitlines() == ["T", "a: 1", "a: 2"]
