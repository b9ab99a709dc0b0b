"""A Chinese terminal: notes and errors of the data tools are Chinese, through every path."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drawn_pictures import written_pdf
from transcripts import call, result, shown

from dataagent_cli.messages import Messages
from dataagent_cli.transcript.calls.call_lines import result_text
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle
from dataagent_core.events import ErrorEvent

Run = Callable[..., subprocess.CompletedProcess[bytes]]
Command = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _chinese(environment: dict[str, str]) -> None:
    environment["DATAAGENT_LANGUAGE"] = "zh"


@pytest.fixture
def orders(workspace: Path) -> Path:
    file = workspace / "orders.csv"
    file.write_text("day,who,amount\n" + "2025-01-02,Ann,10\n" * 20 + "Total,,200\n")
    return file


def test_how_a_file_was_read_is_said_in_chinese(dataagent: Run, orders: Path):
    note = "注意:orders.csv: 1 行属于表尾,未读入(第 22 行:'Total,,200')"
    assert note in dataagent("data", "describe", str(orders)).stderr.decode()
    query = ("data", "query", "--source", str(orders), "SELECT sum(amount) AS s FROM orders")
    assert note in dataagent(*query).stderr.decode()
    # Output for programs does not depend on the language.
    document = json.loads(dataagent(*query, "--json").stdout)
    assert document["notes"][0].startswith("orders.csv: 1 line of a footer is left out")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("data", "list", "shop"), "错误:没有数据源 'shop'。"),
        (
            ("data", "query", "--source", "orders.csv", "DELETE FROM orders"),
            "错误:以 DELETE 开头的语句在此处不可用:只能执行读取数据的查询(SELECT、WITH、VALUES)。",
        ),
        (
            ("data", "query", "--source", "orders.csv", "SELECT * FROM order_s"),
            "错误:没有表 'order_s'。您是否想写 'orders'?",
        ),
        (("data", "export", "r_0123456789ab"), "错误:没有结果 'r_0123456789ab':已过期"),
        (
            ("sources", "add", "shop", "none.csv"),
            "错误:无法打开 'none.csv':No such file or directory。请给出存在的文件或文件夹的路径。",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_chinese(
    dataagent: Run, orders: Path, arguments: tuple[str, ...], said: str
):
    done = dataagent(*arguments)
    assert done.returncode != 0
    assert said in done.stderr.decode()


def test_what_a_chart_shows_otherwise_is_said_in_chinese(dataagent: Run, orders: Path):
    sql = "SELECT who, amount FROM orders"
    query = ("data", "query", "--source", str(orders), sql, "--json")
    kept = json.loads(dataagent(*query).stdout)["result_id"]
    told = dataagent("data", "chart", kept, "radar of amount by who").stderr.decode()
    assert "这里不能画雷达图,因此是另一种图" in told


def test_a_call_of_the_agent_is_shown_in_chinese_and_logged_in_english(
    dataagent: Run, endpoint: Callable[..., Any], orders: Path
):
    asked = {"name": "sql_query", "args": {"source": "orders.csv", "sql": "SELECT * FROM order_s"}}
    with endpoint({"tool_calls": [asked]}, {"text": "done"}):
        done = dataagent("run", "count them", "--yes")
        assert "没有表 'order_s'。" in done.stderr.decode(), done.stderr.decode()
    with endpoint({"tool_calls": [asked]}, {"text": "done"}):
        logged = dataagent("run", "count them", "--yes", "--json").stdout.decode()
        assert "There is no table 'order_s'" in logged


def test_a_pdf_that_is_not_shown_as_it_is_is_said_in_chinese(
    dataagent: Run, endpoint: Callable[..., Any], workspace: Path
):
    (workspace / "cut.pdf").write_bytes(b"%PDF-1.7 and no more")
    (workspace / "locked.pdf").write_bytes(written_pdf("secret", password="known to few"))
    with endpoint({"text": "done"}):
        told = dataagent("run", "read @cut.pdf and @locked.pdf", "--yes").stderr.decode()
    assert "其内容不是完整的 PDF 文档:已损坏或不完整。" in told
    assert "该文档受密码保护。" in told


def test_that_no_model_is_configured_is_said_in_chinese(command: Command):
    code, _, told = command("run", "hello")
    assert code == 0
    assert told.startswith("未配置模型,因此由内置演示作答:")


def test_what_cannot_go_back_is_said_in_chinese(
    command: Command, endpoint: Callable[..., Any], workspace: Path
):
    (workspace / "node_modules").mkdir()
    content = "x" * 500_001  # longer than what is compared
    write = {"name": "write_file", "args": {"file_path": "/a.txt", "content": content}}
    with endpoint({"tool_calls": [write]}, {"text": "done"}):
        assert command("run", "make a", "--yes", "--session", "s1")[0] == 0
    assert "1 处修改没有差异对比:只保存不超过" in command("sessions", "changes", "s1")[2]
    # What programs read does not depend on the language.
    told = json.loads(command("sessions", "changes", "s1", "--json")[1])
    assert told["notices"][0].startswith("1 of the changes come without a diff")
    told = command("sessions", "rewind", "s1")[2]
    assert "未查看其内容,因此保持原样:/node_modules/。" in told


def test_why_a_call_is_asked_about_is_said_in_chinese(command: Command):
    code, out, _ = command("permissions", "explain", "rm -rf build && ls > /tmp/x && eval $X")
    assert code == 0
    assert out.startswith("需要询问:")
    assert re.findall(r"\b(?:asked|default|it)\b.*", out) == []


def test_what_the_terminal_refuses_itself_is_said_in_chinese(
    command: Command, environment: dict[str, str]
):
    home = Path(environment["DATAAGENT_HOME"])
    home.mkdir()
    (home / "servers.json").write_text("[")
    assert "的内容已不是服务器列表" in command("run", "hello", "--server")[2]


def test_a_result_in_the_conversation_is_chinese_but_not_the_data_in_it():
    say = Messages("zh")
    text = (
        "r_1: 2 rows. Types: a text\n(Note: a.csv: the heading was found in row 3)\n"
        "a\nthe file is not there any more\n"
    )
    assert result_text(result("sql_query", "1", text), say) == (
        "r_1: 2 行。类型:a text\n(注意:a.csv: 表头在第 3 行)\na\nthe file is not there any more\n"
    )
    assert result_text(result("read_file", "1", text), say) == text
    assert result_text(result("sql_query", "1", text), Messages("en")) == text


def test_errors_from_the_log_are_chinese_in_the_conversation():
    events = [
        call("sql_query", "1", sql="SELECT 1"),
        result("sql_query", "1", "NotFoundError: There is no source 'shop'.", status="error"),
        ErrorEvent(
            error="The source 'shop' ended unexpectedly. Ask again; if it stays, ask for less."
        ),
    ]
    text = re.sub(
        r"\s+", "", shown(*events, look=TerminalStyle(width_cells=120, plain=True), language="zh")
    )
    assert "没有数据源'shop'。" in text
    assert "数据源'shop'意外结束。请重试;如仍如此,请减少内容。" in text
