"""Checks the formulas of a spec: short, over the row's columns, with harmless functions.

Vega runs them in its own interpreter; the check refuses what reads other data, may not end (regular
expressions, sequences) or differs between runs.
"""

import re
from collections.abc import Callable

from dataagent_core.config.limits.data import CHART_TEXT_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.definition.name_suggestions import suggest_names

_FUNCTIONS = frozenset(
    re.findall(
        r"\w+",
        """abs ceil floor round sqrt exp log pow min max clamp isValid isNaN isNumber isString
        toNumber toString toBoolean toDate year quarter month date day hours minutes dayofyear week
        format timeFormat length lower upper substring trim indexof if inrange datetime""",
    )
)
_WORDS = frozenset({"datum", "true", "false", "null", "NaN", "PI", "E"})
_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
      | (?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
      | (?P<name>[^\W\d]\w*|\$\w+)
      | (?P<mark>===|!==|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:(),.\[\]])
    """,
    re.VERBOSE,
)
# Returns the column of a name, or raises if there is none.
CheckField = Callable[[str], str]


def check_expression(expression: str, check_field: CheckField) -> None:
    """Refuse a formula that is more than arithmetic over the row."""
    if len(expression) > CHART_TEXT_CHARS_MAX:
        raise ValidationError(
            f"A formula has {len(expression)} characters, {CHART_TEXT_CHARS_MAX} are possible. "
            "Compute it in the query."
        )
    tokens = _tokenize(expression)
    for index, (kind, text) in enumerate(tokens):
        before = tokens[index - 1][1] if index else ""
        if kind != "name":
            continue
        if before == ".":
            # `datum.column`; anything deeper or on anything else is no column.
            if index < 2 or tokens[index - 2][1] != "datum":  # noqa: PLR2004 - datum and its dot
                raise _make_unknown_error(expression, text)
            check_field(text)
        elif text not in _WORDS and not (text in _FUNCTIONS and _is_called(tokens, index)):
            raise _make_unknown_error(expression, text)
        elif text == "datum":
            _check_index(tokens, index, check_field, expression)


def _check_index(
    tokens: list[tuple[str, str]], index: int, check_field: CheckField, expression: str
) -> None:
    after = [text for _, text in tokens[index + 1 : index + 4]]
    if after[:1] == ["."]:
        return
    if len(after) == 3 and after[0] == "[" and after[2] == "]" and after[1][0] in "'\"":  # noqa: PLR2004 - [, text, ]
        check_field(after[1][1:-1])
        return
    raise ValidationError(
        f"`datum` in {expression!r:.80} must be followed by a column: datum.name or datum['name']."
    )


def _is_called(tokens: list[tuple[str, str]], index: int) -> bool:
    return index + 1 < len(tokens) and tokens[index + 1][1] == "("


def _tokenize(expression: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    index = 0
    while index < len(expression):
        found = _TOKEN.match(expression, index)
        if found is None:
            raise ValidationError(
                f"A formula cannot hold {expression[index]!r}: {expression!r:.80}. Use arithmetic, "
                "comparisons and functions over datum.column."
            )
        if found.lastgroup != "space":
            tokens.append((str(found.lastgroup), found[0]))
        index = found.end()
    return tokens


def _make_unknown_error(expression: str, name: str) -> ValidationError:
    return ValidationError(
        f"{name!r} is not available in a chart's formula ({expression!r:.80}). "
        f"{suggest_names(name, _FUNCTIONS)} Columns are written datum.name; compute the rest in "
        "the query."
    )
