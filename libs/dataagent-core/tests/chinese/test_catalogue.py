"""The Chinese sentences of core: one for each that it says to people, with all its values."""

import json
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest
from spoken_sentences import HAN, one_place, places, shape, spoken, written

import dataagent_core
from dataagent_core.language.chinese import TEXTS, in_chinese

CORE = Path(dataagent_core.__file__).parent
SENTENCE_TEXTS = in_chinese.sentences
ALL_TEXTS = {**SENTENCE_TEXTS, **in_chinese.phrases}
# Those whose sentences people read as they are.
FOLDERS = (
    "config",
    "context",
    "engine",
    "hitl",
    "language",
    "mcp",
    "memory/changes",
    "memory/doctor",
    "memory/erasure",
    "memory/hygiene",
    "memory/transfer",
    "models",
    "permissions",
    "planning",
    "sandbox",
    "session",
    "skills",
    "patterns",
    "subagents",
    "tools/command_changes",
    "tools/data",
    "tools/files",
    "tools/media",
    "tools/web",
    "tools/workspace_history",
    "usage",
)
# What a demo's model writes or a model is told, and defects.
NOT_FOR_PEOPLE = {
    "models/scripted/demo_words.py",
    "models/__init__.py",
    "models/listing/ollama.py",
    "context/window_size.py",
    "context/compaction/fit.py",
    "config/prompts.py",
    "engine/checkpoints/history.py",
    "engine/delegation/router_middleware.py",
    "engine/middleware/middleware_chain.py",
    "engine/user_message.py",
    "engine/graph/shared_graph.py",
    "mcp/oauth/__init__.py",
    "sandbox/files/user_switch.py",
    "sandbox/network/proxy.py",
    "sandbox/remote/remote_program.py",
    "sandbox/paths/workspace_location.py",
    "media/picture_worker.py",
    "engine/answer_form/form.py",
    "session/stores/sql/dialect.py",
    "skills/built_in/skill-writing/scripts/check_skill.py",
}


def in_code(english: str) -> set[str]:
    """Write an entry in the ways code may hold it: the values at its ends may be added there."""
    whole = shape(english)
    return {whole, whole.removeprefix("{}"), whole.removeprefix("{}").removesuffix("{}")}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_sentence_is_there_in_chinese(folder: str):
    known = {text for english in ALL_TEXTS for text in in_code(english)}
    said = spoken(CORE / folder, NOT_FOR_PEOPLE)
    assert {text: file for text, file in said.items() if text not in known} == {}


def test_no_sentence_is_there_that_nobody_says():
    sources = ("tools", "errors.py", "memory", *FOLDERS)
    said = set[str]().union(*(written(CORE / source) for source in sources))
    assert [english for english in ALL_TEXTS if not in_code(english) & said] == []


def test_both_languages_fill_in_the_same():
    differing = [
        english
        for english, chinese in ALL_TEXTS.items()
        if {name for name in places(english) if not name.startswith("_")} != set(places(chinese))
    ]
    assert differing == []


def test_no_two_values_stand_beside_each_other():
    assert [text for text in ALL_TEXTS if one_place(shape(text)) != shape(text)] == []


def test_every_sentence_is_chinese():
    same = {"TRANSFORM ... USING"}
    assert [text for text, zh in ALL_TEXTS.items() if not HAN.search(zh) and text not in same] == []


def test_no_sentence_takes_the_place_of_another():
    pairs: list[tuple[str, object]] = []
    for file in TEXTS.rglob("*.json"):
        # A repeated key is lost in a dictionary.
        json.loads(file.read_bytes(), object_pairs_hook=pairs.extend)
    counted = Counter(english for english, chinese in pairs if isinstance(chinese, str))
    assert counted.keys() == ALL_TEXTS.keys()
    assert [text for text, count in counted.items() if count > 1] == []


class Saying(Formatter):
    def format_field(self, value: object, format_spec: str) -> str:
        return str(value)


def test_every_sentence_is_found_again_with_its_values():
    wrong: dict[str, str] = {}
    for english, chinese in SENTENCE_TEXTS.items():
        values = {name: f"'v{n}'" for n, name in enumerate(places(english))}
        said = Saying().vformat(english.replace("!r}", "}"), (), values)
        if in_chinese(said) != Saying().vformat(chinese, (), values):
            wrong[said] = in_chinese(said)
    assert wrong == {}
