"""Removes folders of this machine from texts for clients.

A tenant knows workspaces, whose paths begin at `/`. The folders of the server, its scratch files
and its programs belong to the operator, and are in the log. A message should not name them in the
first place; this catches the ones that do.
"""

import re
import sys
import sysconfig
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Final

_OWN: Final = (
    tempfile.gettempdir(),
    sys.prefix,
    sys.base_prefix,
    sysconfig.get_path("purelib"),
    str(Path(__file__).resolve().parents[4]),
    str(Path.home()),
)
# A path begins after another character, or is in the URL of a file (`sqlite:////a/b.db`).
_BEFORE: Final = r"(?:(?<![\w/.])|(?<=://)|(?<=:///))"
_REST: Final = r"(?:/[^\s'\"`:;,<>|]*)?"


def hide_host_paths(text: str, *folders: str) -> str:
    """Shorten every path below a folder of this machine to its last name."""
    return _make_pattern(folders).sub(_shorten, text)


@lru_cache
def _make_pattern(folders: tuple[str, ...]) -> re.Pattern[str]:
    # The longest first, and never the root; a folder may be reached by a link.
    named = {*_OWN, *folders} - {""}
    known = sorted(named | {str(Path(path).resolve()) for path in named}, key=len, reverse=True)
    paths = "|".join(re.escape(path.rstrip("/")) for path in known if path.rstrip("/"))
    return re.compile(rf"{_BEFORE}(?:{paths})(?![\w.-]){_REST}")


def _shorten(found: re.Match[str]) -> str:
    return f"…/{found.group().rstrip('/.').rpartition('/')[2]}"
