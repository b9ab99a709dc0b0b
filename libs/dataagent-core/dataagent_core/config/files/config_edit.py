"""Sets values in `config.toml`; the user's text and comments stay as they are.

Only the lines of the named keys change. The new text is read back before it replaces the file: a
file written in a way this does not understand is left alone, and the person is told what to write.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dataagent_core.config.files.atomic_write import write_atomically
from dataagent_core.config.files.text_file import parse_toml, read_text
from dataagent_core.config.limits import CONFIG_FILE_BYTES_MAX
from dataagent_core.errors import ConfigurationError

_WHAT = "a file of settings"
_TABLE = re.compile(r"(?m)^[ \t]*\[")


def set_in_file(path: Path, values: Mapping[str, str]) -> None:
    """Set these keys at the top of the file, which becomes readable by its owner alone."""
    # A link, for example into a dotfiles repository, stays a link.
    real = path.resolve()
    text = read_text(real, CONFIG_FILE_BYTES_MAX, _WHAT) or ""
    changed = with_values(text, values, str(path))
    write_atomically(real, changed)


def with_values(text: str, values: Mapping[str, str], where: str) -> str:
    """Return the text with these keys set at its top. Pure."""
    before = parse_toml(text, where, _WHAT)
    changed = text
    for key, value in values.items():
        # JSON strings are TOML strings, except for one character that TOML must escape.
        quoted = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        changed = _set_line(changed, key, f"{key} = {quoted}")
    if not _parses_to(changed, {**before, **values}):
        raise ConfigurationError(
            f"{where} writes {' or '.join(values)} in a way that is not changed here: "
            "set it there by hand."
        )
    return changed


def _parses_to(text: str, expected: Mapping[str, Any]) -> bool:
    try:
        return parse_toml(text, "", _WHAT) == expected
    except ConfigurationError:  # the key stands there in another spelling, and now twice
        return False


def _set_line(text: str, key: str, line: str) -> str:
    table = _TABLE.search(text)
    top, rest = (text[: table.start()], text[table.start() :]) if table else (text, "")
    there = re.compile(rf"(?m)^[ \t]*{re.escape(key)}[ \t]*=.*$")
    if there.search(top):
        return there.sub(lambda _: line, top, count=1) + rest
    gap = "" if not top or top.endswith("\n") else "\n"
    return f"{top}{gap}{line}\n{rest}"
