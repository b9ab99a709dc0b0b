"""What an old string that is found as it is leaves open at its first and its last line.

A string without the indentation of its first line does not show how deep that line stands: further
lines of the new string can be meant as they are, or relative to it. Only where one of the two is
out of the question is the edit made. A line end that only the old string has is a slip: nobody
wants two lines joined.
"""

from itertools import takewhile

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.strategies.indents import indent_of, opens_block


def starts_inside_indent(before: str, old: str, new: str) -> bool:
    """Say whether further lines are brought to a line that is found with part of its indent."""
    return _is_indent(before) and bool(indent_of(old)) and bool(_further(new))


def carried_after_indent(before: str, old: str, new: str) -> str:
    """Give the new string for a place with `before` to its left, or raise `ValidationError`."""
    if not _is_indent(before):
        return new
    if indent_of(new) != indent_of(old) or _is_unclear(before, old, new):
        raise ValidationError(
            f"old_string begins after the indentation {before!r} of its line, so it is not clear "
            "how deep the lines of new_string are to stand. Give both strings from the beginning "
            "of the line."
        )
    return new


def _is_unclear(before: str, old: str, new: str) -> bool:
    known = _further(old)
    # The lines that belong to the first one, up to a blank line or one of the old string.
    brought = list(takewhile(lambda line: line.strip() and line not in known, new.split("\n")[1:]))
    # Further lines of the old string that are indented show that the strings are meant as they are.
    if not brought or any(indent_of(line) for line in known):
        return False
    return (
        bool(indent_of(old))
        or any(not indent_of(line).startswith(before) for line in brought)
        or (opens_block(new.partition("\n")[0]) and len(indent_of(brought[0])) <= len(before))
    )


def with_line_ends(before: str, after: str, old: str, new: str) -> str:
    """Keep the line end that an old string of whole lines has and the new one has not.

    `before` and `after` are the characters on both sides of the place, empty at the file's ends.
    """
    if not new:
        return new
    if before in {"", "\n"} and old.endswith("\n") and not new.endswith("\n"):
        return new + "\n" if after not in {"", "\n"} else new
    if after in {"", "\n"} and old.startswith("\n") and not new.startswith("\n"):
        return "\n" + new if before not in {"", "\n"} else new
    return new


def _is_indent(before: str) -> bool:
    return bool(before) and not before.strip(" \t")


def _further(new: str) -> list[str]:
    return [line for line in new.split("\n")[1:] if line.strip()]
