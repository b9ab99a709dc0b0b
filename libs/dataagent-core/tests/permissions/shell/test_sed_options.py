"""Each long option of sed is judged like its letter."""

import shlex

import pytest

from dataagent_core.permissions.shell.line import Word
from dataagent_core.permissions.shell.risks import find_risky_words, may_start_another

# What GNU sed's manual lists; -f reads a script from a file.
OPTIONS = {
    "--quiet": "-n",
    "--silent": "-n",
    "--in-place": "-i",
    "--regexp-extended": "-E",
    "--separate": "-s",
    "--unbuffered": "-u",
    "--null-data": "-z",
    "--zero-terminated": "-z",
    "--expression": "-e",
    "--file": "-f",
}
SCRIPTS = ("s/a/b/", "1e x", "w f", "s/a/x/e")


def words(line: str) -> tuple[Word, ...]:
    return tuple(Word(text) for text in shlex.split(line))


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize(("long", "short"), OPTIONS.items())
def test_a_long_option_counts_like_its_letter(long: str, short: str, script: str):
    line, same = (words(f"sed {option} '{script}' a.txt") for option in (long, short))
    assert find_risky_words(line) == find_risky_words(same)
    assert may_start_another(line) == may_start_another(same)


def test_an_edit_in_place_starts_no_other_program():
    assert not may_start_another(words("sed --in-place s/a/b/ a.txt"))
