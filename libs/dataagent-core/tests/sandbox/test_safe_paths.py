"""How a tool's path is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import PathEscapeError
from dataagent_core.sandbox.paths.tool_paths import format_path, split_path

NAMES = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), max_size=40)


@pytest.mark.parametrize("path", ["/a/b.txt", "a/b.txt", "//a/./b.txt", "./a//b.txt/"])
def test_every_spelling_of_a_path_names_the_same_file(path: str):
    assert split_path(path) == ("a", "b.txt")


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("", "empty"),
        ("..", "'..'"),
        ("/a/../../b", "'..'"),
        ("a/..", "'..'"),
        ("a\0b", "NUL"),
        ("a" * 256, "longer"),
        ("é" * 128, "longer"),
        ("a/" * 2001, "longer"),
        ("\ud800", "encoded"),
    ],
)
def test_a_path_that_could_lead_out_is_refused_with_the_reason(path: str, why: str):
    with pytest.raises(PathEscapeError, match=why):
        split_path(path)


@given(st.lists(NAMES))
def test_what_is_accepted_has_no_name_that_means_another_place(names: list[str]):
    path = "/" + "/".join(names)
    try:
        parts = split_path(path)
    except PathEscapeError:
        return
    assert not {"", ".", ".."} & set(parts)
    assert split_path(format_path(parts)) == parts
