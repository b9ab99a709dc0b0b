"""A string means the same to the engine as to the guard, whatever is in it."""

from hypothesis import given, settings
from hypothesis import strategies as st
from sql_data import catalogue
from sql_engines import Shop

from dataagent_core.tools.data.guard import check
from tests.counts import examples

_CHARACTERS = st.text(
    st.one_of(
        st.sampled_from("'\"`\\%_;-/*#$\n\r\t{}[]:@?x"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    ),
    max_size=12,
)
# MariaDB's names are of the first 65,536 characters.
_NAMES = _CHARACTERS.filter(
    lambda text: text.strip() == text and 0 < len(text) < 12 and max(text) < "\U00010000"
)


@settings(max_examples=examples(150))
@given(value=_CHARACTERS)
def test_a_quoted_string_comes_back_as_it_was(shop: Shop, value: str) -> None:
    written = value.replace("'", "''")
    if shop.engine == "mysql":
        written = written.replace("\\", "\\\\")
    sql = check(f"select '{written}' as v, 'next' as n", catalogue(shop.engine)).sql
    assert shop.ask(sql) == [(value, "next")]


@settings(max_examples=examples(100))
@given(value=_NAMES)
def test_a_quoted_name_is_a_name_and_never_more(shop: Shop, value: str) -> None:
    quote = "`" if shop.engine == "mysql" else '"'
    name = quote + value.replace(quote, quote * 2) + quote
    sql = check(f"select 1 as {name}, 2 as n", catalogue(shop.engine)).sql
    assert shop.ask(sql) == [(1, 2)]
