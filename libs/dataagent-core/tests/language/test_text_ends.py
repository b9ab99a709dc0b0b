"""A long text is shortened to its two ends, within the limit."""

from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.language.text_ends import keep_ends


@given(text=st.text(), chars_max=st.integers(5, 50))
def test_a_long_text_keeps_its_ends_and_is_within_the_limit(text: str, chars_max: int):
    kept = keep_ends(text, chars_max)
    if len(text) <= chars_max:
        assert kept == text
    else:
        assert len(kept) == chars_max
        head, _, tail = kept.partition("\n…\n")
        assert head
        assert text.startswith(head)
        assert text.endswith(kept[len(head) + 3 :])
        assert tail
