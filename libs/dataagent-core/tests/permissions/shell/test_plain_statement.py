"""Plain statements are read from their text, and nothing that is not plain is."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging import decide, person

from dataagent_core.permissions.shell.parser.plain_statement import read_plain_statement

PROGRAM = st.text("abcxyz./+-", min_size=1, max_size=4).map(lambda text: "p" + text)
WORDS = st.lists(st.text(st.characters(exclude_characters="\0", codec="ascii"), max_size=6))
SEPARATORS = st.sampled_from([" | ", " && ", "&&", " || ", "; ", ";", "\n", " \n\n "])


@given(st.lists(st.tuples(PROGRAM, WORDS, SEPARATORS), min_size=1, max_size=4))
def test_every_word_comes_out_as_it_was_quoted(commands: list[tuple[str, list[str], str]]):
    text = "".join(
        " ".join([program, *map(shlex.quote, words)]) + separator
        for program, words, separator in commands
    )
    found = read_plain_statement(text[: -len(commands[-1][2])])
    if found is not None:
        assert [[word.text for word in command.words] for command in found] == [
            [program, *words] for program, words, _ in commands
        ]
    # Only what shlex puts into double quotes or a concatenation of them may need the tree, and a
    # comma, which it leaves bare.
    assert found is not None or "'" in text or "," in text


@pytest.mark.parametrize(
    "text",
    [
        "a=b",
        "a=b rm",
        "'rm' x",
        "if a; then b; fi",
        "for a in b",
        "export PATH=x",
        "unset a",
        "a $b",
        "a `b`",
        "a *",
        "a ~",
        "a {b,c}",
        'a "$b"',
        'a "b!"',
        "a &",
        "a |& b",
        "a >f*",
        "a b>f",
        "a <<E",
        "a <<<b",
        "a # b",
        "! a",
        "(a)",
        "{ a; }",
        "a ;; b",
        "a \\\n b",
        "a é",
    ],
)
def test_what_bash_would_expand_or_read_otherwise_is_left_to_the_tree(text: str):
    assert read_plain_statement(text) is None


@pytest.mark.parametrize(
    "line",
    [
        "ls | sort | head\nrm x && ls",
        "ls | sort | head $a\nrm x && ls",
        "! ls | head\nrm x || ls",
        "if ls | sort | head\nrm x && ls; then ls; fi",
    ],
)
def test_a_command_on_the_line_behind_a_pipeline_is_seen(line: str):
    assert decide(line) == "ask"
    assert decide(line, person("allow shell **", "deny shell rm *")) != "allow"
