"""A long text is shortened to its two ends, within the limit."""

from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.language.text_ends import keep_ends, keep_whole_ends


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


@given(text=st.text("ab ,\n…"), chars_max=st.integers(5, 50))
def test_whole_ends_are_within_the_limit_too(text: str, chars_max: int):
    kept = keep_whole_ends(text, chars_max)
    assert kept == text if len(text) <= chars_max else len(kept) <= chars_max


def test_of_words_whole_ends_keep_whole_ones():
    numbered = " ".join(f"w{n}" for n in range(100, 200))
    head, tail = keep_whole_ends(numbered, 100).split("\n…\n")
    assert set(head.split()) | set(tail.split()) <= set(numbered.split())
    assert tail.endswith("w199")
