"""One `.gitignore` file. Pure.

`pathspec` translates its lines. It lets a line that names a folder also name everything beneath;
git asks about each folder on the way instead, so that a deeper file can overrule a higher one.
`IgnoreRules` asks like git, and here the ends of the expressions are tightened to match.
"""

import re
from dataclasses import dataclass

from pathspec import GitIgnoreSpec

_ITSELF_OR_BENEATH = "(?:(?P<ps_d>/)|$)"
_FOLDER_OR_BENEATH = "(?P<ps_d>/)"


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The lines of a file, the last first, each with what it says: ignore, or do not."""

    lines: list[tuple[re.Pattern[str], bool]]

    def verdict(self, path: str) -> bool | None:
        """Judge a path relative to the file's folder, a folder with a slash at its end."""
        for pattern, ignore in self.lines:
            if pattern.search(path):
                return ignore
        return None


def read_ignore_file(text: str) -> IgnoreFile:
    """Read the lines; one that makes no sense is passed over, as git does."""
    lines: list[tuple[re.Pattern[str], bool]] = []
    for line in reversed(text.splitlines()):
        try:
            [pattern] = GitIgnoreSpec.from_lines([line]).patterns
        except ValueError:
            continue
        if pattern.regex is not None and pattern.include is not None:
            lines.append((_tightened(pattern.regex.pattern), pattern.include))
    return IgnoreFile(lines)


def _tightened(expression: str) -> re.Pattern[str]:
    exact = expression.replace(_ITSELF_OR_BENEATH, "/?$").replace(_FOLDER_OR_BENEATH, "/$")
    return re.compile(exact)
