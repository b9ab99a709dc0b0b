"""The sentences of the message catalogue in the person's language."""

import string
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from dataagent_cli.messages.catalogue import TEXTS
from dataagent_cli.messages.program_name import program
from dataagent_core.language import Language, chosen_language

if TYPE_CHECKING:
    from dataagent_core.language.chinese import Translation

_COLUMN: dict[Language, int] = {"en": 0, "zh": 1}


_PLURAL: Final = "plural "
_TRANSLATED: Final = "translated"


class _SentenceFormatter(string.Formatter):
    """Formats `{count:plural row rows}`: the first word for one, the second otherwise.

    In a Chinese text `{text:translated}` translates English text of core or of this package.
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith(_PLURAL):
            one, many = format_spec.removeprefix(_PLURAL).split(" ")
            return one if value == 1 else many
        if format_spec == _TRANSLATED:
            return _to_chinese(str(value))
        return str(super().format_field(value, format_spec))


class Messages:
    """Formats sentences in one language."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language

    def __call__(self, key: str, **values: object) -> str:
        text = TEXTS[key][_COLUMN[self.language]]
        # Looked up once: finding the program reads the disk.
        if "{dataagent}" in text:
            values["dataagent"] = program()
        if _PLURAL in text or _TRANSLATED in text:
            return _SentenceFormatter().format(text, **values)
        return text.format(**values)

    def translate(self, text: str) -> str:
        """Translate English text of core or of this package; other text stays as it is."""
        return _to_chinese(text) if self.language == "zh" else text

    def help(self, text: str) -> str:
        """Translate a paragraph of `--help`, which is its own key; braces are literal."""
        found = TEXTS.get(text)
        return text if found is None else found[_COLUMN[self.language]]

    def has(self, key: str) -> bool:
        """Say whether the catalogue has a key."""
        return key in TEXTS


@cache
def _translation() -> "Translation":
    # Large, and not needed for English.
    from dataagent_cli.messages.error_texts import ERROR_TEXTS, PHRASES
    from dataagent_core.language.chinese import Translation, in_chinese

    return Translation({**in_chinese.sentences, **ERROR_TEXTS}, {**in_chinese.phrases, **PHRASES})


def _to_chinese(text: str) -> str:
    return _translation()(text)


def load_messages() -> Messages:
    """Return the messages in the language of this process."""
    return Messages(chosen_language())
