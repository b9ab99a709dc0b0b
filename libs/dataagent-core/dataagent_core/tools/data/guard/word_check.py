"""Checks the text that will run once more, word by word, without the parser that wrote it.

Names are quoted, strings end where the engine ends them, and every other word is a keyword or a
function of the lists. This catches mistakes that the parser and its writer share.
"""

import re
from functools import lru_cache

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.data_model import Dialect
from dataagent_core.tools.data.guard.allowed.functions_by_dialect import FUNCTIONS
from dataagent_core.tools.data.guard.allowed.keywords import CALLABLE_KEYWORDS, KEYWORDS
from dataagent_core.tools.data.guard.refusals import make_not_allowed_error, quote_short

_BACKTICKS = {"mysql", "sqlite", "spark", "bigquery"}
# There 0x41 is one number; others may read it as 0 and a name.
_HEXADECIMALS = {"mysql", "sqlite"}
_BACKSLASHES = {"mysql", "clickhouse", "spark", "bigquery", "snowflake"}
# Words that only one engine has and that do nothing harmful there.
_OWN_WORDS: dict[Dialect, frozenset[str]] = {
    "duckdb": frozenset({"into", "value", "key"}),
    # Character sets a text may be converted to.
    "mysql": frozenset({"utf8mb4", "utf8mb3", "utf8", "latin1", "ascii", "gbk", "gb18030"}),
}
# Of these a bracket may follow: UNPIVOT INCLUDE NULLS (...), USING KEY (...).
_OWN_BEFORE_BRACKET: dict[Dialect, frozenset[str]] = {"duckdb": frozenset({"nulls", "key"})}
# Operators made of these signs; comments and statements' ends are looked for by themselves.
_SIGNS = r"[-+*/%<>=!~^&|@#:?.,()\[\]{}]"
_HARMFUL = re.compile(r"--|/\*|\*/|;|\\|\$|:=")
# Signs that begin a variable, a stage or a comment but in the two that use them as operators.
_MARKS = re.compile("[#@]")
_MARKS_ARE_OPERATORS = {"postgres", "duckdb"}


@lru_cache
def _make_pattern(dialect: Dialect) -> re.Pattern[str]:
    quote = "`" if dialect in _BACKTICKS else '"'
    inside = r"[^'\\]|''|\\." if dialect in _BACKSLASHES else "[^']|''"
    hexadecimal = r"0x[0-9A-Fa-f]+(?!\w)|" if dialect in _HEXADECIMALS else ""
    return re.compile(
        rf"""
        (?P<space>\s+)
        |(?P<name>{quote}(?:[^{quote}]|{quote}{quote})*{quote}(?!{quote}))
        |(?P<string>(?:\b[bBxXnN])?'(?:{inside})*'(?!'))
        |(?P<number>{hexadecimal}(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![A-Za-z_]))
        |(?P<word>[A-Za-z_][A-Za-z0-9_]*)
        |(?P<signs>{_SIGNS})
        """,
        re.VERBOSE | re.DOTALL,
    )


def check_words(sql: str, dialect: Dialect, aliases: frozenset[str] = frozenset()) -> None:
    """Refuse text in which any word is neither a name, a value, nor on a list.

    `aliases` are names the query gave itself that are written without quotes.
    """
    functions = FUNCTIONS[dialect]
    own = _OWN_WORDS.get(dialect, frozenset()) | aliases
    callable_ = functions | CALLABLE_KEYWORDS | _OWN_BEFORE_BRACKET.get(dialect, frozenset())
    position, before, signs = 0, "", ""
    for match in _make_pattern(dialect).finditer(sql):
        if match.start() != position:
            break
        position = match.end()
        text = match.group()
        match match.lastgroup:
            case "space":
                signs += " "
                continue
            case "signs":
                signs += text
                if text == "(" and before and before not in callable_:
                    raise make_not_allowed_error(
                        f"The function {quote_short(before)}()", "it is on no list"
                    )
                before = ""
                continue
            case "word":
                word = text.lower()
                if before != "collate" and not _is_known(word, functions, own):
                    raise make_not_allowed_error(
                        f"The word {quote_short(text)}", "it is not needed to read data"
                    )
                before = word
            case _:
                before = ""
        _check_signs(signs, dialect)
        signs = ""
    _check_signs(signs, dialect)
    if position != len(sql):
        raise make_not_allowed_error(
            f"The text near '{quote_short(sql[position : position + 20])}'", "leave it out"
        )


def _is_known(word: str, functions: frozenset[str], own: frozenset[str]) -> bool:
    return word in KEYWORDS or word in functions or word in own


def _check_signs(signs: str, dialect: Dialect) -> None:
    found = _HARMFUL.search(signs)
    if found is None and dialect not in _MARKS_ARE_OPERATORS:
        found = _MARKS.search(signs)
    if found is not None and not (found.group() == ":=" and dialect == "duckdb"):
        raise QueryRefusedError(
            f"The signs '{found.group()}' cannot be used here: write the query without them."
        )
