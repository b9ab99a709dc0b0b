"""Texts of each sort for the benchmark of the token estimate: the repository's, and `texts/`."""

import json
import re
from pathlib import Path

from dataagent_core.events import json_schema

ROOT = Path(__file__).parents[1]
PIECE_CHARS = 1_000
_PROSE = re.compile(r"^[A-Z][^|`{}<>=\[\]]{80,}$", re.MULTILINE)


def texts() -> dict[str, list[str]]:
    """Gather texts of each sort, in pieces."""
    pages = "\n".join(path.read_text("utf-8") for path in sorted(ROOT.glob("docs/*.md")))
    code = "\n".join(path.read_text("utf-8") for path in sorted(ROOT.glob("benchmarks/*.py")))
    schema = json.dumps(json_schema(), ensure_ascii=False)
    return {
        "English prose": _pieces("\n".join(_PROSE.findall(pages))),
        "Chinese prose": _pieces(_own("chinese"), 50),
        "mixed Chinese and English": _pieces(_own("mixed"), 50),
        "Markdown with tables": _pieces(pages),
        "code": _pieces(code),
        "JSON": _pieces(schema),
    }


def _own(name: str) -> str:
    return (ROOT / "benchmarks" / "texts" / f"{name}.txt").read_text("utf-8")


def _pieces(text: str, chars: int = PIECE_CHARS) -> list[str]:
    return [text[at : at + chars] for at in range(0, len(text) - chars + 1, chars)]
