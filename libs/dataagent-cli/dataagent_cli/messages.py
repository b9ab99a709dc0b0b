"""Saying a sentence of the catalogue in the person's language."""

from collections.abc import Mapping
from typing import Literal

from dataagent_cli.catalogue import TEXTS
from dataagent_cli.program import program

Language = Literal["en", "zh"]

_COLUMN: dict[Language, int] = {"en": 0, "zh": 1}


class Messages:
    """Says sentences in one language."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language

    def __call__(self, key: str, **values: object) -> str:
        text = TEXTS[key][_COLUMN[self.language]]
        # Where the program lies is looked up on the disk: not for every word of every drawing.
        if "{dataagent}" in text:
            values["dataagent"] = program()
        return text.format(**values)

    def has(self, key: str) -> bool:
        """Say whether the catalogue holds a sentence."""
        return key in TEXTS


def language_of(wanted: str, environment: Mapping[str, str]) -> Language:
    """Choose the language: the one asked for, or with `auto` that of the locale."""
    if wanted == "auto":
        # The order in which the C library looks at them.
        names = ("LC_ALL", "LC_MESSAGES", "LANG")
        wanted = next((environment[name] for name in names if environment.get(name)), "en")
    return "zh" if wanted.lower().startswith("zh") else "en"
