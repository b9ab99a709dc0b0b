"""A report as a document: read, written, refused with a sentence, and filled with parameters."""

from typing import Any

import pytest
import yaml

from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.tools.data.reports import load_templates, read_definition, write_definition
from dataagent_core.tools.data.reports.report_parameters import (
    check_parameter_values,
    fill_sql,
    fill_text,
)
from dataagent_core.tools.data.reports.report_templates import find_template

DOCUMENT = """
title: Sales in {{year}}
author: Data team
template: briefing
parameters:
  year: {type: number, default: 2025}
  city: {type: text, default: Oslo}
  since: {type: date, default: '2025-01-01'}
queries:
  monthly: {source: shop, sql: "SELECT * FROM orders WHERE city = {{city}} AND y = {{year}} AND d > {{since}}"}
  margin: {metric: {metric: margin, dimensions: [month]}}
blocks:
  - {type: heading, text: Overview}
  - {type: text, markdown: "In **{{city}}**."}
  - {type: figure, query: monthly, label: Total, column: sales, aggregate: sum}
  - {type: chart, query: monthly, intent: line of sales by month}
  - {type: chart, query: monthly, intent: {kind: bar, x: month}}
  - {type: table, query: margin, columns: [month], rows_max: 10}
  - {type: sql, query: monthly}
  - {type: page_break}
"""


def test_a_definition_is_the_same_after_it_was_written_and_read_again():
    definition = read_definition(DOCUMENT)
    assert read_definition(write_definition(definition)) == definition


def test_json_is_a_definition_too():
    document = '{"title": "T", "blocks": [{"type": "page_break"}]}'
    assert read_definition(document).title == "T"


def changed(**changes: Any) -> str:
    return yaml.safe_dump({**yaml.safe_load(DOCUMENT), **changes})


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("title: [", "cannot be read as YAML"),
        ("just words", "cannot be used"),
        (changed(blocks=[]), "blocks"),
        (changed(blocks=[{"type": "iframe"}]), "iframe"),
        (changed(blocks=[{"type": "table", "query": "montly"}]), "Did you mean 'monthly'"),
        (changed(queries={"a b": {"source": "s", "sql": "x"}}), "queries"),
        (changed(queries={"q": {"source": "s"}}), "either sql"),
        (changed(queries={"q": {"sql": "SELECT 1"}}), "source"),
        (changed(extra=1), "extra"),
        ("a: &a [1]\nb: *a", "aliases"),
        ("[" * 100_000, "nested"),
        ("x" * 300_000, "bytes"),
        ("!!python/object/apply:os.system ['true']", "cannot be read as YAML"),
    ],
)
def test_a_wrong_definition_is_refused_with_a_sentence(document: str, said: str):
    with pytest.raises(ValidationError, match=said):
        read_definition(document)


def test_parameters_become_literals_in_sql():
    definition = read_definition(DOCUMENT)
    values = check_parameter_values(definition, {"city": "O'Hare; DROP TABLE x --", "year": 2024})
    sql = definition.queries["monthly"].sql
    assert sql is not None
    assert fill_sql(sql, definition, values) == (
        "SELECT * FROM orders WHERE city = 'O''Hare; DROP TABLE x --' AND y = 2024 AND "
        "d > '2025-01-01'"
    )


@pytest.mark.parametrize(
    "given",
    [
        {"year": "2024 OR 1=1"},
        {"year": "1e5"},
        {"since": "yesterday"},
        {"city": "back\\slash"},
        {"city": "a\nb"},
        {"town": "Oslo"},
    ],
)
def test_a_value_that_does_not_fit_its_parameter_is_refused(given: dict[str, Any]):
    with pytest.raises(ValidationError):
        check_parameter_values(read_definition(DOCUMENT), given)


def test_parameters_in_markdown_are_words_and_not_markup():
    assert fill_text("In {{c}}", {"c": "[a](b) *x*"}, markdown=True) == r"In \[a\]\(b\) \*x\*"


def test_an_undeclared_parameter_is_named():
    with pytest.raises(ValidationError, match="Did you mean 'year'"):
        fill_text("{{yaer}}", {"year": "2025"})


def test_an_undeclared_parameter_is_told_how_its_braces_are_written():
    with pytest.raises(ValidationError, match=r"or write \\\{\{user\}\} where the braces"):
        fill_text("Dear {{ user }}", {"year": "2025"})
    assert fill_text(r"Dear \{{ user }} of {{year}}", {"year": "2025"}) == "Dear {{ user }} of 2025"
    definition = read_definition(DOCUMENT)
    values = check_parameter_values(definition, {})
    assert fill_sql(r"SELECT '\{{user}}'", definition, values) == "SELECT '{{user}}'"


@pytest.mark.parametrize("text", ["Dear {{ user }}", r"\{{a}}", "{{}} {{ }} {{a b}}"])
def test_without_parameters_braces_are_text(text: str):
    definition = read_definition("{title: T, blocks: [{type: page_break}]}")
    assert fill_text(text, {}) == text
    assert fill_sql(text, definition, {}) == text


def test_a_projects_template_goes_before_a_shipped_one(tmp_path: Any):
    (tmp_path / "plain.yml").write_text('accent: "#123456"\nfooter: ACME\n')
    (tmp_path / "board.yml").write_text("cover: true\n")
    templates = load_templates(tmp_path)
    assert templates["plain"].footer == "ACME"
    assert {"board", "briefing", "briefing-zh", "plain-zh"} <= templates.keys()
    with pytest.raises(NotFoundError, match="Did you mean 'board'"):
        find_template("bord", templates)


def test_a_template_cannot_bring_data_or_a_colour_that_is_none(tmp_path: Any):
    for text in ("accent: red; x", "before: [{type: table, query: q}]", "page: a0"):
        (tmp_path / "bad.yml").write_text(text)
        with pytest.raises(ValidationError, match=r"bad\.yml"):
            load_templates(tmp_path)
