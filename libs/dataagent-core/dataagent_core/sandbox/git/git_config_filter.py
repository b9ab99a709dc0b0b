"""The configuration of a repository as git finds it in the sandbox.

No external program draws diffs there, and a command that only looks runs no filter either: nobody
was asked about it. Git cannot be told so by its environment, so the file is shown without these
settings. Files it includes are shown as they are.
"""

import re
import subprocess
from collections.abc import Iterator
from typing import Final

from dataagent_core.config.limits import SANDBOX_HELPER_S

_DIFF: Final = re.compile(r"diff\.external|diff\..*\.command", re.IGNORECASE | re.DOTALL)
_LOOKS: Final = re.compile(
    r"diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process|required)",
    re.IGNORECASE | re.DOTALL,
)
_MAY_NAME: Final = re.compile(rb"external|command|textconv|filter", re.IGNORECASE)
_LIST: Final = ["git", "config", "--file", "-", "--no-includes", "--list", "-z"]
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def filter_git_config(config: bytes, *, looks: bool) -> bytes | None:
    """Leave out what must not run; None where nothing has to be left out. It blocks."""
    if _MAY_NAME.search(config) is None:
        return None
    left_out = _LOOKS if looks else _DIFF
    settings = list(_settings(config))
    kept = [(key, value) for key, value in settings if left_out.fullmatch(key) is None]
    if len(kept) == len(settings):
        return None
    return "".join(_written(key, value) for key, value in kept).encode("utf-8", "surrogateescape")


def _settings(config: bytes) -> Iterator[tuple[str, str | None]]:
    """Let git itself read the settings: it runs nothing, and opens nothing else."""
    try:
        listed = subprocess.run(  # noqa: S603 (fixed words)
            _LIST,
            input=config,
            capture_output=True,
            check=True,
            timeout=SANDBOX_HELPER_S,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin"},
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return  # git in the sandbox cannot read it either
    for entry in listed.decode("utf-8", "surrogateescape").split("\0"):
        key, has_value, value = entry.partition("\n")
        if key:
            yield key, value if has_value else None


def _written(key: str, value: str | None) -> str:
    section, _, rest = key.partition(".")
    subsection, _, name = rest.rpartition(".")
    header = f"[{section} {_quoted(subsection)}]" if subsection else f"[{section}]"
    return f"{header}\n\t{name}\n" if value is None else f"{header}\n\t{name} = {_quoted(value)}\n"


def _quoted(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(character, character) for character in text) + '"'
