"""Whether a text is written as its language wants it, where a parser is at hand. Pure.

An edit that breaks a file which could be parsed before is refused once, with the parser's words
(`edit`). A parser that cannot tell, because a text is too long or nested too deeply, says nothing.
"""

from pathlib import PurePosixPath

from dataagent_core.config.limits import EDIT_PARSED_CHARS_MAX
from dataagent_core.tools.files.syntax.data_formats import (
    find_json_error,
    find_toml_error,
    find_yaml_error,
)
from dataagent_core.tools.files.syntax.grammars import GRAMMARS, find_grammar_error
from dataagent_core.tools.files.syntax.python_syntax import find_python_error

__all__ = ["find_broken_syntax", "find_syntax_error"]

_PARSERS = {
    ".py": find_python_error,
    ".pyi": find_python_error,
    ".json": find_json_error,
    ".toml": find_toml_error,
    ".yaml": find_yaml_error,
    ".yml": find_yaml_error,
}


def find_broken_syntax(path: str, before: str, after: str) -> str | None:
    """Say how a text that could be parsed no longer can; `None` if it can or never could."""
    error = find_syntax_error(path, after)
    # The text before is looked at only if that matters: most edits break nothing.
    return error if error is not None and find_syntax_error(path, before) is None else None


def find_syntax_error(path: str, text: str) -> str | None:
    """Give the parser's words about a text, `None` if it has none or there is no parser."""
    suffix = PurePosixPath(path).suffix.lower()
    if len(text) > EDIT_PARSED_CHARS_MAX:
        return None
    if suffix in _PARSERS:
        return _PARSERS[suffix](text)
    return find_grammar_error(GRAMMARS[suffix], text) if suffix in GRAMMARS else None
