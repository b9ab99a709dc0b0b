"""How an edit finds its place, one strategy after the other."""

from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.edits.edit_application import Edit, apply_edit

PIECES = st.text(st.sampled_from("ab \t\n"), max_size=12)
AROUND = st.text(st.sampled_from("xy \t\n\r{}é"), max_size=80)

CASES = {
    "exact": ("a = 1\nb = 2\n", "b = 2", "b = 3", "a = 1\nb = 3\n"),
    "escape-normalised": ("a = 1\nb = 2\n", "a = 1\\nb = 2", "a = 5\\nb = 2", "a = 5\nb = 2\n"),
    "line-trimmed": (
        "if x:\n\ta = 1  \n\tb = 2\n",
        "  a = 1\n  b = 2\n",
        "  a = 1\n  b = 3\n",
        "if x:\n\ta = 1  \n\tb = 3\n",
    ),
    "indentation-flexible": (
        "class A:\n    def f(self):\n        return 1\n",
        "\n  def f(self):\n      return 1\n\n",
        "\n  def f(self):\n      x = 2\n      return x\n\n",
        "class A:\n    def f(self):\n        x = 2\n        return x\n",
    ),
    "whitespace-normalised": (
        "call(one,   two,  three)\n",
        "call(one, two, three)",
        "call(one, two, 3)",
        "call(one,   two,  3)\n",
    ),
    "block anchor": (
        "def f(a):\n    x = load(a)\n    log(x)\n    y = clean(x)\n    return y\n",
        "def f(a):\n    x = load(a)\n    y = clean(x)\n    return y\n",
        "def f(a, b):\n    x = load(a)\n    y = clean(x)\n    return y\n",
        "def f(a, b):\n    x = load(a)\n    log(x)\n    y = clean(x)\n    return y\n",
    ),
}


@pytest.mark.requirement("S2-7.2.1-strategies")
@pytest.mark.requirement("F3-1")
@pytest.mark.parametrize("strategy", CASES)
def test_each_strategy_finds_what_those_before_it_do_not(strategy: str):
    text, old, new, expected = CASES[strategy]
    edited = apply_edit(text, Edit(old, new))
    assert (edited.strategy, edited.text) == (strategy, expected)


@pytest.mark.requirement("F3-edit-span")
@given(before=AROUND, old=PIECES, after=AROUND, new=PIECES)
def test_an_edit_changes_only_the_matched_span(before: str, old: str, after: str, new: str):
    assume(old.strip() and old != new)
    edited = apply_edit(f"{before}|{old}|{after}", Edit(old, new))
    assert edited.text.startswith(f"{before}|")
    assert edited.text.endswith(f"|{after}")
    middle = edited.text[len(before) + 1 : len(edited.text) - len(after) - 1]
    assert middle.replace("\r\n", "\n") == new


BLOCK = ["  alpha = one", "    beta  = two", "      gamma = three", "  delta = four"]
INEXACT: dict[str, Callable[[str], str]] = {
    "escape-normalised": lambda old: old.replace("\n", "\\n"),
    "line-trimmed": lambda old: "\n".join(f" {line}" for line in old.split("\n")),
    "indentation-flexible": lambda old: "\n\n" + old + "\n\n",
    "whitespace-normalised": lambda old: old.replace("beta  =", "beta ="),
    "block anchor": lambda old: old.replace("gamma = three", "gamma = 3hree"),
}


@pytest.mark.parametrize("strategy", INEXACT)
@given(
    above=st.lists(st.sampled_from(["x", "  y", "\tz  "]), max_size=20),
    below=st.lists(st.sampled_from(["x", "  y", "\tz  "]), max_size=20),
    ends=st.lists(st.sampled_from(["\n", "\r\n"]), min_size=44, max_size=44),
)
def test_outside_an_inexact_match_every_byte_stays(
    strategy: str, above: list[str], below: list[str], ends: list[str]
):
    lines = [line + end for line, end in zip([*above, *BLOCK, *below], ends, strict=False)]
    old = INEXACT[strategy]("\n".join(BLOCK))
    edited = apply_edit("".join(lines), Edit(old, old.replace("beta", "BETA")))
    assert edited.strategy == strategy
    assert edited.text == "".join(lines).replace("beta", "BETA")


@pytest.mark.parametrize("old", ["", " ", "\n\t \n"])
def test_an_old_string_without_text_is_refused(old: str):
    with pytest.raises(ValidationError, match="names no place"):
        apply_edit("a \n b", Edit(old, "x"))


@pytest.mark.requirement("F3-1")
def test_an_ambiguous_match_is_refused_with_its_lines():
    with pytest.raises(ValidationError, match=r"3 times, at lines 1, 3, 4\."):
        apply_edit("x\ny\nx\nx\n", Edit("x", "z"))
    assert apply_edit("x\ny\nx\nx\n", Edit("x", "z", replace_all=True)).text == "z\ny\nz\nz\n"


def test_overlapping_places_are_ambiguous_and_cannot_all_be_replaced():
    with pytest.raises(ValidationError, match="2 times"):
        apply_edit("aaa", Edit("aa", "b"))
    with pytest.raises(ValidationError, match="overlap at line 1"):
        apply_edit("aaa", Edit("aa", "b", replace_all=True))


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [("a", "a", "a"), ("a\r\nb", "a\nb", "a\r\nb"), ("\ta\n", "  a\n", "  a \n")],
)
def test_an_edit_that_changes_nothing_is_refused(text: str, old: str, new: str):
    with pytest.raises(ValidationError, match="nothing would change"):
        apply_edit(text, Edit(old, new))


@pytest.mark.requirement("S2-7.2.1-line-ends")
@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("a\r\nb\r\nc\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\nc\r\n"),
        ("a\nb\r\nc", "b\nc", "b\nd\nc", "a\nb\r\nd\r\nc"),
        ("a\r\nb", "b", "b\nc", "a\r\nb\r\nc"),
        ("a\nb", "a\r\nb", "a\r\nc", "a\nc"),
        ("  a\n  b", "a\nb\n", "a\nc\n", "  a\n  c"),
        ("\ta\n\tb\n\tc\n", "  b\n", "", "\ta\n\tc\n"),
        # A line end that only the old string has is a slip.
        ("a\nb\nc\n", "b\n", "x", "a\nx\nc\n"),
        ("a\nb\nc\n", "\nb", "x", "a\nx\nc\n"),
    ],
)
def test_line_ends_are_those_of_the_file(text: str, old: str, new: str, expected: str):
    assert apply_edit(text, Edit(old, new)).text == expected


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("def f():\n    a()\n    b()\n    return\n", "def f():\n    x\n    y\n    return\n"),
        ("foobar baz", "foo baz"),
        ("foobar\n", "foo \n"),
        ("begin\nend\n", "begin\nx\ny\nz\nend"),
        # Only part of a line, or lines broken elsewhere.
        ("call(one,  two, three)\n", "call(one, two"),
        ("call(one,\n     two)\n", "call(one, two)"),
        ("a = 1\nb = 2\n", "a = 1\\nb"),
    ],
)
def test_what_only_looks_a_little_alike_is_not_taken(text: str, old: str):
    with pytest.raises(ValidationError, match="not found"):
        apply_edit(text, Edit(old, "new"))


def test_a_block_that_begins_and_ends_like_many_is_not_found_by_its_ends():
    text = "if x:\n    one(1)\n    two(2)\nend\n" * 200
    with pytest.raises(ValidationError, match="not found"):
        apply_edit(text, Edit("if x:\n    one(1)\n    two(2) and\nend", "new"))
