"""A session is named after its first message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.session.titles import TITLE_CHARS, title_from
from dataagent_server.common.names import validate_name


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("hi", "hi"),
        ("  two\n\nlines\t", "two lines"),
        ("数据 分析", "数据 分析"),
        (" \x00\n", None),
        ("word " * 40, "word " * 15 + "word…"),
        ("x" * 200, "x" * TITLE_CHARS + "…"),
    ],
)
def test_a_title_is_the_beginning_on_one_line(text: str, title: str | None):
    assert title_from(text) == title


@given(text=st.text())
def test_whatever_was_said_makes_a_title_that_can_be_kept(text: str):
    title = title_from(text)
    if title is not None:
        assert len(title) <= TITLE_CHARS + 1
        title.encode()
        assert validate_name(title, "title")
