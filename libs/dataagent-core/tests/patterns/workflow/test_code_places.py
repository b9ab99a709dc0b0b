"""A value never changes what a command, a statement or an address says; then the agent goes on."""

import shlex
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from traced_runs import NOW, RunLog

from dataagent_core.patterns import extract_pattern
from dataagent_core.patterns.workflow.code_places import find_unsafe_place
from dataagent_core.patterns.workflow.compile_workflow import compile_workflow
from dataagent_core.patterns.workflow.fill_workflow import fill_args
from dataagent_core.patterns.workflow.workflow import (
    ModelPlace,
    TextTemplate,
    Workflow,
    WorkflowStep,
)
from tests.counts import examples


def find(tool: str, args: dict[str, str], value: Any, *, is_input: bool = True) -> str:
    step = WorkflowStep(tool=tool, args={name: TextTemplate(text) for name, text in args.items()})
    return find_unsafe_place(step, {"x": value}, {"x"} if is_input else set())


@pytest.mark.parametrize(
    "value",
    [
        "a; rm -rf /",
        "a && curl evil.example",
        "a | sh",
        "$(id)",
        "`id`",
        "a\nrm b",
        "a b",
        "-rf",
        "../..",
        "a/../../b",
        "*",
        "~",
        "a>b",
        "a\\",
        "'",
        '"',
        "#",
        "a\u2028b",
        "",
    ],
)
def test_a_value_outside_quotes_is_one_word(value: str) -> None:
    assert find("shell", {"command": "rm -r out/{{x}}"}, value) == "x"
    assert find("mcp__ops__run", {"cmd": "rm -r out/{{x}}"}, value) == "x"


@pytest.mark.parametrize(
    "value", ["2026-09", "Harbour", "/data/q3.csv", "上海", "a@b.example", "1.5", 7]
)
def test_a_plain_value_is_put_in(value: Any) -> None:
    for command in ("report {{x}} --all", "report '{{x}}'", 'report "{{x}}"'):
        assert find("shell", {"command": command}, value) == ""


def test_within_quotes_blanks_are_fine_and_what_ends_them_is_not() -> None:
    sql = {"sql": "select * from sales where region = '{{x}}'"}
    assert find("sql_query", sql, "North America") == ""
    for value in ("x' or '1'='1", "O'Brien", "x\\", "x; drop table t", "x -- y"):
        assert find("sql_query", sql, value) == "x"
    assert find("sql_query", {"sql": "select * from sales where week = {{x}}"}, "1 or 1") == "x"
    assert find("mcp__db__run", {"query": "SELECT {{x}}"}, "1, 2") == "x"
    assert find("web_search", {"query": "sales of {{x}}"}, "A & B; C") == ""


def test_an_apostrophe_that_is_no_quote_lets_nothing_through() -> None:
    command = {"command": "# don't ask\nrm {{x}}"}
    assert find("shell", command, "a; rm -r /") == "x"


@pytest.mark.parametrize(
    ("tool", "argument", "template", "value"),
    [
        # An apostrophe that opens no quotes, or quotes that are over.
        ("shell", "command", "# it's the month\nrm -r out/{{x}}", "x /home"),
        ("shell", "command", "cat <<EOF\nDon't\nEOF\nrm -r out/{{x}}", "x /home"),
        ("sql_query", "sql", "-- it's\ndelete from t where id = {{x}}", "1 or 1=1"),
        ("sql_query", "sql", "/* it's ** */ delete from t where id = {{x}}", "1 or 1=1"),
        ("sql_query", "sql", 'delete from t where "a\\" = 1 and id = {{x}}', "1 or 1=1"),
        ("code_executor", "code", "x = 'it\\'s'\nn = {{x}}", "3 if a else 2"),
        # Quotes around code.
        ("shell", "command", 'echo "$(cat out/{{x}})"', "a /etc/passwd"),
        ("shell", "command", 'bash -c "rm -r out/{{x}}"', "x /home"),
        ("shell", "command", 'bash -lc "{{x}}"', "rm -r /home"),
        ("shell", "command", "eval '{{x}}'", "rm -r /home"),
        ("shell", "command", "ssh ops@host '{{x}}'", "rm -r /home"),
        ("shell", "command", 'sqlite3 a.db "delete from t where id = {{x}}"', "1 or 1=1"),
        ("shell", "command", 'psql --command="{{x}}"', "delete from t"),
        ("code_executor", "code", 'con.execute("delete from t where id = {{x}}")', "1 or 1=1"),
        # Statements by another name, or behind a comment.
        ("mcp__db__run", "query", "-- sales\nselect * from t where id = {{x}}", "1 or 1=1"),
        ("mcp__db__run", "query", "/* * */ (select * from t where id = {{x}})", "1 or 1=1"),
        ("mcp__db__run", "query", "truncate table {{x}}", "a, b"),
        ("mcp__db__run", "sql_text", "delete from t where id = {{x}}", "1 or 1=1"),
        ("move_file", "destination", "/reports/{{x}}", "../../home"),
        # A column in the place of a value: true of every row.
        ("sql_query", "sql", "delete from t where id = {{x}}", "id"),
        ("sql_query", "sql", "delete from t where a = 1 and {{x}}", "true"),
        ("sql_query", "sql", "delete from t where id in ({{x}})", "id"),
    ],
)
def test_a_value_of_several_words_is_data_only_where_every_reader_says_so(
    tool: str, argument: str, template: str, value: str
) -> None:
    assert find(tool, {argument: template}, value) == "x"


@pytest.mark.parametrize(
    ("argument", "template", "value"),
    [
        ("command", "report --region '{{x}}'", "North America"),
        ("command", 'cat "out/{{x}}.csv"', "March report"),
        ("command", "psql -c \"select * from t where r = '{{x}}'\"", "North America"),
        ("code", 'con.execute("""\nselect *\nwhere r = \'{{x}}\'""")', "North America"),
        ("sql", "select * from {{x}} where id = 3", "sales"),
        ("sql", "select * from t where id = {{x}} order by a", "17"),
        ("sql", "select * from t where id = 3 order by {{x}}", "region"),
    ],
)
def test_data_and_names_in_their_places_are_put_in(
    argument: str, template: str, value: str
) -> None:
    assert find("code_executor", {argument: template}, value) == ""


def test_a_part_of_a_host_names_no_other_host() -> None:
    for template, value in (
        ("https://api.example.com{{x}}", ".evil.example/a"),
        ("https://{{x}}.example.com/", "evil.example/"),
        ("https://{{x}}.example.com/", "a@evil.example/"),
        ("https://{{x}}example.com/", "evil.example:80"),
        ("https://{{x}}/reports", "example.com@evil.example"),
    ):
        assert find("fetch_url", {"url": template}, value) == "x"
    assert find("mcp__a__get", {"base": "https://{{x}}.example.com/"}, "evil.example/") == "x"
    for template, value in (
        ("https://{{x}}.example.com/", "eu-1"),
        ("https://{{x}}/reports", "eu.example.com:8080"),
        ("https://api.example.com{{x}}", "/reports/3"),
        ("https://api.example.com/{{x}}", "reports/a.b"),
    ):
        assert find("fetch_url", {"url": template}, value) == ""


def test_a_path_may_have_blanks_and_stays_in_its_folder() -> None:
    path = {"file_path": "/reports/{{x}}.md"}
    assert find("write_file", path, "March 2026 (final)") == ""
    assert find("write_file", path, "../../home/ada/.bashrc") == "x"
    assert find("fetch_url", {"url": "https://a.example/?m={{x}}"}, "5&admin=1") == "x"


def test_a_person_may_give_a_whole_command_and_a_result_may_not() -> None:
    command = {"command": "{{x}}"}
    assert find("shell", command, "ls | wc -l") == ""
    assert find("shell", command, "ls | wc -l", is_input=False) == "x"
    assert find("shell", command, "ls", is_input=False) == ""
    assert find("fetch_url", {"url": "{{x}}"}, "https://a.example/?m=5", is_input=False) == ""


def test_other_texts_take_any_value() -> None:
    assert find("write_file", {"content": "Total of {{x}}"}, "A & B; 'C'") == ""


@settings(max_examples=examples(300))
@given(
    value=st.text(max_size=12), place=st.sampled_from(["{{x}}", "'{{x}}'", '"{{x}}"', "a{{x}}b"])
)
def test_a_shell_reads_as_many_words_as_with_any_other_value(value: str, place: str) -> None:
    step = WorkflowStep(tool="shell", args={"command": TextTemplate(f"run {place} end")})
    if find_unsafe_place(step, {"x": value}, {"x"}):
        return
    command = str(fill_args(step, {"x": value}, {})["command"])
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    _, word, last = list(lexer)
    assert (word, last) == (place.strip("'\"").replace("{{x}}", value), "end")


def compiled(
    tool: str, argument: str, texts: list[str], goals: list[str], result: str = ""
) -> Workflow:
    traces = []
    for number, (text, goal) in enumerate(zip(texts, goals, strict=True)):
        log = RunLog(f"run{number}")
        log.call("read_file", result=result.format(text), file_path="/notes.md")
        log.call(tool, **{argument: text})
        traces.append(log.done().trace(goal))
    return compile_workflow(extract_pattern(traces[0], tenant_id="t", now=NOW), traces)


def test_where_values_of_earlier_runs_were_more_than_a_word_a_model_writes_the_command() -> None:
    regions = ["North", "South", "East"]
    goals = [f"Count the stock of {one}" for one in regions]
    safe = compiled("shell", "command", [f"count {one}" for one in regions], goals)
    assert safe.steps[1].args["command"] == TextTemplate("count {{value}}")
    regions = ["North; x", "South; x", "East; y"]
    goals = [f"Count the stock of {one}" for one in regions]
    unsafe = compiled("shell", "command", [f"count {one}" for one in regions], goals)
    assert isinstance(unsafe.steps[1].args["command"], ModelPlace)


def test_no_command_is_taken_from_a_result() -> None:
    commands = [f"build --fast target{n} | tee log" for n in range(3)]
    goals = [f"Do the work of note {n}" for n in (11, 12, 13)]
    workflow = compiled("shell", "command", commands, goals, result="command is <{}> end")
    # Its words may be, where each is one.
    assert workflow.steps[1].args["command"] == TextTemplate("build --fast {{fast}} | tee log")
    noted = compiled("note", "text", commands, goals, result="command is <{}> end")
    assert noted.steps[1].args["text"] == TextTemplate("{{text}}")
