"""The same conversation in other terminals: resized while it streams, 80x24, Chinese."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from rich.cells import cell_len

OpenTerminal = Callable[..., Any]

READY = r"Shift-Tab"
ROW = "row {:03d} of a text that goes on and on, long enough to be broken by a narrow screen"


@pytest.mark.requirement("F8-walk-resize")
def test_a_terminal_that_is_resized_while_text_streams_keeps_every_row_once_and_one_prompt(
    open_terminal: OpenTerminal, scripts: Any
):
    rows = "\n\n".join(ROW.format(number) for number in range(60))
    long = [{"text": rows + "\n\nThe end.", "chunk_chars": 60, "chunk_delay_s": 0.03}]
    with scripts(long=long), open_terminal(columns=100, rows=30) as terminal:
        terminal.until(READY)
        terminal.enter("long please")
        for columns, height, seen in (
            (60, 20, "row 005"),
            (120, 40, "row 015"),
            (44, 16, "row 025"),
            (80, 24, "row 035"),
        ):
            terminal.until(seen, everywhere=True)
            terminal.resize(columns, height)
        terminal.until(r"The end\.[\s\S]*of context")
        terminal.type("x")
        shown = terminal.until("^› x")  # noqa: RUF001 (the prompt's sign)
        assert shown.count("ask mode") == 1, shown
        everything = terminal.everything()
        found = re.findall(r"row (\d{3}) of a", everything)
        assert sorted(set(found)) == [f"{number:03d}" for number in range(60)]
        assert found == sorted(found), everything
        assert len(found) == len(set(found)), everything
        assert everything.count("working ·") == 0, everything


@pytest.mark.requirement("F8-walk-80x24")
def test_eighty_columns_and_twenty_four_rows_are_enough_for_a_whole_approval(
    open_terminal: OpenTerminal, scripts: Any
):
    long = "x = 'a long line of code that does not fit the screen of a small terminal at all'\n"
    call = {"name": "write_file", "args": {"file_path": "/a.py", "content": long * 3}}
    plan = [{"content": "Look", "status": "completed"}, {"content": "Go", "status": "in_progress"}]
    steps = [
        {"text": "First.", "tool_calls": [{"name": "write_todos", "args": {"todos": plan}}]},
        {"text": "I write.", "tool_calls": [call]},
        {"text": "| a | b |\n|---|---|\n| " + "wide " * 20 + "| 2 |\n\nFinished."},
    ]
    with scripts(write=steps), open_terminal(columns=80, rows=24) as terminal:
        terminal.until(READY)
        terminal.enter("write it")
        # The question and its choices are on one screen; they are drawn one after the other.
        terminal.until(
            r"write_file asks for your approval[\s\S]*\[y\] yes, once[\s\S]*your choice: *$"
        )
        terminal.enter("y")
        terminal.until(r"Finished\.[\s\S]*of context")
        lines = terminal.everything().splitlines()
    # Joined where the terminal wrapped them: a longer line did not fit.
    assert [line for line in lines if cell_len(line) > 80 and "workspace" not in line] == []


@pytest.mark.requirement("F8-walk-chinese")
@pytest.mark.requirement("F8-2")
def test_chinese_is_typed_deleted_asked_and_answered_in_chinese(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str]
):
    del environment["LC_ALL"]
    environment |= {"LANG": "zh_CN.UTF-8", "LC_CTYPE": "C.UTF-8"}
    answer = "| 城市 | 销售额 |\n|---|--:|\n| 北京 | 12 |\n| 上海 | 345 |\n\n完成。" + "长" * 60
    call = {"name": "write_file", "args": {"file_path": "/甲.txt", "content": "一二三\n"}}
    with (
        scripts(**{".": [{"tool_calls": [call]}, {"text": answer}]}) as served,
        open_terminal() as terminal,
    ):
        terminal.until("询问模式")
        terminal.type("你好世界吗")
        terminal.until("^› 你好世界吗 *$")  # noqa: RUF001 (the prompt's sign)
        assert terminal.cursor()[0] == len("› ") + 2 * 5  # noqa: RUF001 (the prompt's sign)
        terminal.keys("BSpace", "BSpace")
        terminal.until("^› 你好世 *$")  # noqa: RUF001 (the prompt's sign)
        assert terminal.cursor()[0] == len("› ") + 2 * 3  # noqa: RUF001 (the prompt's sign)
        terminal.keys("Left", "BSpace")
        terminal.until("^› 你世 *$")  # noqa: RUF001 (the prompt's sign)
        assert terminal.cursor()[0] == len("› ") + 2  # noqa: RUF001 (the prompt's sign)
        terminal.keys("Enter")
        shown = terminal.until("请选择")
        assert "/甲.txt" in shown
        assert "允许一次" in shown
        terminal.enter("y")
        shown = terminal.until("完成。[\\s\\S]*上下文")
        assert str(served.requests[0].body["messages"][-1]["content"]).endswith("你世")
        table = [
            line
            for line in shown.splitlines()
            if "│" in line and ("北京" in line or "上海" in line)
        ]
        # The columns line up in cells, not in characters.
        assert len({cell_len(line.split("│")[0]) for line in table}) == 1
        assert len(table) == 2
        assert all(cell_len(line) <= 80 for line in terminal.screen().splitlines())
        terminal.keys("C-d")
        assert terminal.exit_code() == 0


def test_a_long_paragraph_that_is_resized_while_it_streams_leaves_no_frame_behind(
    open_terminal: OpenTerminal, scripts: Any
):
    words = " ".join(f"word{number:03d}" for number in range(60))
    slow = [{"text": f"{words}\n\nThe end.", "chunk_chars": 9, "chunk_delay_s": 0.06}]
    with scripts(long=slow), open_terminal(columns=100, rows=24) as terminal:
        terminal.until(READY)
        terminal.enter("long please")
        terminal.until("word015")
        terminal.resize(50, 24)
        terminal.until("word030", everywhere=True)
        terminal.resize(90, 24)
        terminal.until(r"The end\.[\s\S]*of context")
        everything = terminal.everything()
    found = re.findall(r"word\d{3}", everything)
    assert found == [f"word{number:03d}" for number in range(60)], everything
    assert everything.count("working ·") == 0, everything
