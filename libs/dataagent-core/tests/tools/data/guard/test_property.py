"""Whatever is asked, the answer is SQL that passes again or a refusal; nothing else ever comes out."""

from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sql_data import ENGINES, Engine, catalogue
from sql_evasions import EVASIONS
from sql_honest import HONEST

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.guard import check
from tests.counts import examples

pytestmark = pytest.mark.timeout(300)

_TEXTS = [sql for _, sql in HONEST] + [evasion.sql for evasion in EVASIONS]
_PIECES = st.sampled_from(
    [
        "select", "from", "where", "(", ")", "*", ",", "'", '"', "`", "--", "/*", "*/", ";", "\\",
        "union", "with", "region", "secrets", "pg_sleep(1)", "into", "for update", "$1", "@x", ":=",
        "::", "->", "[", "]", "{", "}", "lateral", "join", "using (a)", "over ()", "e'", "$$", "\n",
        "case", "end", "null", "as", "x", "1", ".", "..", "/*!", "#", "\u00e9", "\0", "values",
    ]
)  # fmt: skip


@st.composite
def _mutated(draw: st.DrawFn) -> str:
    """Take a known text and cut, double, swap and insert pieces of it."""
    text = draw(st.sampled_from(_TEXTS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        other = draw(st.one_of(_PIECES, st.just(text[start:end] * 2), st.text(max_size=4)))
        text = text[:start] + " " * draw(st.integers(0, 1)) + other + text[end:]
    return text


@settings(max_examples=examples(400))
@given(sql=_mutated(), engine=st.sampled_from(ENGINES))
@example(sql="select (", engine="duckdb")
@example(sql="from", engine="duckdb")
@example(sql="with a as (select 1)", engine="postgres")
def test_a_mutated_text_is_checked_or_refused_and_nothing_else(sql: str, engine: Engine) -> None:
    known = catalogue(engine)
    try:
        checked = check(sql, known)
    except QueryRefusedError:
        return
    again = check(checked.sql, known)
    assert set(again.tables) == set(checked.tables)
    assert set(checked.tables) <= {table.qualified for table in known.tables}


@settings(max_examples=examples(200))
@given(text=st.text(max_size=30), engine=st.sampled_from(ENGINES))
def test_any_text_at_all_is_checked_or_refused(text: str, engine: Engine) -> None:
    with suppress(QueryRefusedError):
        assert check(text, catalogue(engine)).sql
