"""The catalogue: no key twice, and the same placeholders in both languages."""

import ast
import re
from collections import Counter
from pathlib import Path
from string import Formatter

from dataagent_cli.messages import catalogue
from dataagent_cli.messages.catalogue import TEXTS

FOLDER = Path(catalogue.__file__).parent
# These modules have no keys.
OTHERS = {"__init__.py", "error_texts.py", "program_name.py"}


def keys_in(source: str) -> list[str]:
    """List the keys of a module's table."""
    return [
        key.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    ]


def test_no_sentence_takes_the_name_of_another():
    files = sorted(path for path in FOLDER.rglob("*.py") if path.name not in OTHERS)
    counted = Counter(key for file in files for key in keys_in(file.read_text()))
    assert set(counted) == set(TEXTS)
    assert [key for key, count in counted.items() if count > 1] == []


ID = re.compile(r"\{(session|old|new|call|result|run)[}!:]")
TYPED = re.compile(r"(\{dataagent\}|/resume|--session|`sessions output).*")
# The id itself is printed: it was not found, or the person needs it next.
TOLD_BY_ID = {"no_session", "no_output", "output_gone", "query_done", "query_truncated"}


def test_ids_stand_only_in_commands_to_type():
    assert {
        key
        for key, texts in TEXTS.items()
        for text in texts
        for line in text.split("\n")
        if ID.search(TYPED.sub("", line))
    } == TOLD_BY_ID


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_both_languages_fill_in_the_same():
    differing = [key for key, (en, zh) in TEXTS.items() if places(en) != places(zh)]
    assert differing == []


def test_every_sentence_is_there_in_both_languages():
    assert [key for key, texts in TEXTS.items() if not all(texts)] == []
