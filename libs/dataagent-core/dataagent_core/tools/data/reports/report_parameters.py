r"""The values a report is run with: `{{name}}` in its texts and its SQL. Pure.

A report that declares no parameter has none to put in: braces are text there. In one that does, a
name it does not declare is a mistake; `\{{name}}` is the text itself.

In SQL a value becomes one literal, written by its declared type; what else could be made of it is
the guard's to refuse.
"""

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

from dataagent_core.config.limits.data import CHART_TEXT_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.reports.report_definition import ReportDefinition, ReportParameter
from dataagent_core.tools.definition.name_suggestions import suggest_names

_PLACE = re.compile(r"(\\?)\{\{\s*([^{}\s]{1,64})\s*\}\}")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~])")

Values = Mapping[str, str]


def check_parameter_values(
    definition: ReportDefinition, given: Mapping[str, Any]
) -> dict[str, str]:
    """Check what was given against what is declared; the defaults fill the rest."""
    for name in given:
        if name not in definition.parameters:
            raise ValidationError(
                f"The report has no parameter {name!r:.60}. "
                f"{suggest_names(name, definition.parameters)} "
                f"It has: {', '.join(definition.parameters) or 'none'}."
            )
    return {
        name: _value(name, parameter, given.get(name, parameter.default))
        for name, parameter in definition.parameters.items()
    }


def fill_sql(sql: str, definition: ReportDefinition, values: Values) -> str:
    """Put the values into SQL, each as one literal."""
    if not values:
        return sql

    def literal(found: re.Match[str]) -> str:
        name, value = found[2], _value_at(found, values)
        if value is None:
            return _as_text(found)
        if definition.parameters[name].type == "number":
            return value
        return "'" + value.replace("'", "''") + "'"

    return _PLACE.sub(literal, sql)


def fill_text(text: str, values: Values, *, markdown: bool = False) -> str:
    """Put the values into a text; in Markdown they are words and not markup."""
    if not values:
        return text

    def word(found: re.Match[str]) -> str:
        value = _value_at(found, values)
        if value is None:
            return _as_text(found)
        return _MARKDOWN.sub(r"\\\1", value) if markdown else value

    return _PLACE.sub(word, text)


def _value_at(found: re.Match[str], values: Values) -> str | None:
    """Give the value for a place; None where it is text and stays."""
    escaped, name = found.groups()
    if escaped:
        return None
    if name not in values:
        raise ValidationError(
            f"{{{{{name}}}}} is no parameter of the report. {suggest_names(name, values)} Declare "
            f"it under parameters, or write \\{{{{{name}}}}} where the braces themselves are meant."
        )
    return values[name]


def _as_text(found: re.Match[str]) -> str:
    return found[0].removeprefix("\\")


def _value(name: str, parameter: ReportParameter, value: Any) -> str:
    if value is None:
        raise ValidationError(f"The report needs a value for {name!r}: {parameter.description}")
    text = str(value)
    match parameter.type:
        case "number":
            if not re.fullmatch(r"-?\d{1,30}(\.\d{1,30})?", text):
                raise ValidationError(f"{name} must be a number such as 12.5, and is {text!r:.60}.")
        case "date":
            try:
                text = dt.date.fromisoformat(text).isoformat()
            except ValueError as error:
                raise ValidationError(
                    f"{name} must be a date such as 2026-03-31, and is {text!r:.60}."
                ) from error
        case "text":
            # A backslash ends a quote in some dialects and not in others.
            if len(text) > CHART_TEXT_CHARS_MAX or "\\" in text or not text.isprintable():
                raise ValidationError(
                    f"{name} must be plain text of at most {CHART_TEXT_CHARS_MAX} characters "
                    "without backslashes and line ends."
                )
    return text
