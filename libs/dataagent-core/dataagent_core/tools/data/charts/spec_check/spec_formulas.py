"""The formulas a given spec may hold: short, over the row's own columns, with harmless functions.

Vega runs them in an interpreter of its own; this keeps out what reads other data, never ends
(regular expressions, sequences) or differs from run to run.
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
# Gives the column a name means, or says that there is none.
CheckField = Callable[[str], str]


def check_expression(expression: str, check_field: CheckField) -> None:
    """Refuse a formula that is more than arithmetic over the row."""
    if len(expression) > CHART_TEXT_CHARS_MAX:
        raise ValidationError(
            f"A formula has {len(expression)} characters, {CHART_TEXT_CHARS_MAX} are possible. "
            "Compute it in the query."
        )
    tokens = _tokens(expression)
    for place, (kind, text) in enumerate(tokens):
        before = tokens[place - 1][1] if place else ""
        if kind != "name":
            continue
        if before == ".":
            # `datum.column`; anything deeper or on anything else is no column.
            if place < 2 or tokens[place - 2][1] != "datum":  # noqa: PLR2004 - datum and its dot
                raise _unknown(expression, text)
            check_field(text)
        elif text not in _WORDS and not (text in _FUNCTIONS and _is_called(tokens, place)):
            raise _unknown(expression, text)
        elif text == "datum":
            _check_index(tokens, place, check_field, expression)


def _check_index(
    tokens: list[tuple[str, str]], place: int, check_field: CheckField, expression: str
) -> None:
    after = [text for _, text in tokens[place + 1 : place + 4]]
    if after[:1] == ["."]:
        return
    if len(after) == 3 and after[0] == "[" and after[2] == "]" and after[1][0] in "'\"":  # noqa: PLR2004 - [, text, ]
        check_field(after[1][1:-1])
        return
    raise ValidationError(
        f"`datum` in {expression!r:.80} must be followed by a column: datum.name or datum['name']."
    )


def _is_called(tokens: list[tuple[str, str]], place: int) -> bool:
    return place + 1 < len(tokens) and tokens[place + 1][1] == "("


def _tokens(expression: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    place = 0
    while place < len(expression):
        found = _TOKEN.match(expression, place)
        if found is None:
            raise ValidationError(
                f"A formula cannot hold {expression[place]!r}: {expression!r:.80}. Use arithmetic, "
                "comparisons and functions over datum.column."
            )
        if found.lastgroup != "space":
            tokens.append((str(found.lastgroup), found[0]))
        place = found.end()
    return tokens


def _unknown(expression: str, name: str) -> ValidationError:
    return ValidationError(
        f"{name!r} is not available in a chart's formula ({expression!r:.80}). "
        f"{suggest_names(name, _FUNCTIONS)} Columns are written datum.name; compute the rest in "
        "the query."
    )
