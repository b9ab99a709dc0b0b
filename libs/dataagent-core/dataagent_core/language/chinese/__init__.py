"""The Chinese texts of core: tools, models, permissions, runs, MCP, the sandbox.

Core writes English, which is what models read and logs keep. A client that shows such a text to a
Chinese reader translates it with `in_chinese`; so does a Chinese report. The text itself is the
key, as the English paragraph is for `--help`: a text from a log, a worker or a server is translated
like a new one.

translation.py   a whole text, sentence by sentence, with the values in it
                 (the console has it in TypeScript: web/src/i18n/translation.ts)
texts/*.json     the sentences, English and Chinese, by section; a test compares them with the code
                 (`phrases.json`: parts, translated only where a sentence has a place for them)
usage_texts.py   the sentences of click, for the command lines
"""

import json
from pathlib import Path

from dataagent_core.language.chinese.translation import Translation

__all__ = ["TEXTS", "Translation", "in_chinese", "read_texts"]

TEXTS = Path(__file__).parent / "texts"
_PHRASES = TEXTS / "phrases.json"


def read_texts(file: Path) -> dict[str, str]:
    """Read the texts of all sections of a file."""
    sections: dict[str, dict[str, str]] = json.loads(file.read_bytes())
    return {english: chinese for texts in sections.values() for english, chinese in texts.items()}


in_chinese = Translation(
    {
        english: chinese
        for file in sorted(TEXTS.rglob("*.json"))
        if file != _PHRASES
        for english, chinese in read_texts(file).items()
    },
    read_texts(_PHRASES),
)
