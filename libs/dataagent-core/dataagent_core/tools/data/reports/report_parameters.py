r"""Fills the parameters of a report: `{{name}}` in its texts and its SQL.

Without declared parameters, braces are plain text. With them, an undeclared name is an error, and
`\{{name}}` is the text itself. In SQL a value becomes one literal of its declared type; the guard
checks the result.
"""

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

from dataagent_core.config.limits.data import CHART_TEXT_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.reports.report_definition import ReportDefinition, ReportParameter
from dataagent_core.tools.definition.name_suggestions import suggest_names

_PLACEHOLDER = re.compile(r"(\\?)\{\{\s*([^{}\s]{1,64})\s*\}\}")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~])")

Values = Mapping[str, str]


def check_parameter_values(
    definition: ReportDefinition, given: Mapping[str, Any]
) -> dict[str, str]:
    """Check the given values against the declared parameters, and add the defaults."""
    for name in given:
        if name not in definition.parameters:
            raise ValidationError(
                f"The report has no parameter {name!r:.60}. "
                f"{suggest_names(name, definition.parameters)} "
                f"It has: {', '.join(definition.parameters) or 'none'}."
            )
    return {
        name: _check_value(name, parameter, given.get(name, parameter.default))
        for name, parameter in definition.parameters.items()
    }


def fill_sql(sql: str, definition: ReportDefinition, values: Values) -> str:
    """Insert the values into SQL, each as one literal."""
    if not values:
        return sql

    def write_literal(found: re.Match[str]) -> str:
        name, value = found[2], _get_value(found, values)
        if value is None:
            return _unescape(found)
        if definition.parameters[name].type == "number":
            return value
        return "'" + value.replace("'", "''") + "'"

    return _PLACEHOLDER.sub(write_literal, sql)


def fill_text(text: str, values: Values, *, markdown: bool = False) -> str:
    """Insert the values into a text; in Markdown they are escaped."""
    if not values:
        return text

    def write_text(found: re.Match[str]) -> str:
        value = _get_value(found, values)
        if value is None:
            return _unescape(found)
        return _MARKDOWN.sub(r"\\\1", value) if markdown else value

    return _PLACEHOLDER.sub(write_text, text)


def _get_value(found: re.Match[str], values: Values) -> str | None:
    """Return the value of a placeholder; None if it is escaped."""
    escaped, name = found.groups()
    if escaped:
        return None
    if name not in values:
        raise ValidationError(
            f"{{{{{name}}}}} is no parameter of the report. {suggest_names(name, values)} Declare "
            f"it under parameters, or write \\{{{{{name}}}}} where the braces themselves are meant."
        )
    return values[name]


def _unescape(found: re.Match[str]) -> str:
    return found[0].removeprefix("\\")


def _check_value(name: str, parameter: ReportParameter, value: Any) -> str:
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
