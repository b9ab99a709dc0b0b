"""What an old string that is found as it is leaves open at its first and its last line.

A string without the indentation of its first line does not show how deep that line stands: further
lines of the new string can be meant as they are, or relative to it. Only where one of the two is
out of the question is the edit made. A line end that only the old string has is a slip: nobody
wants two lines joined.
"""

from itertools import takewhile

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.edits.strategies.indents import (
    find_flat_opener,
    opens_block,
    read_indent,
)


def is_other_indent(before: str, old: str, new: str) -> bool:
    """Say whether a string found behind `before` is indented otherwise than its line.

    That is so if it begins within the indentation, or if the new string has the same line again
    where it would come to stand left of where it stands now.
    """
    if not _is_indent(before) or not _further(new):
        return False
    if read_indent(old):
        return True
    if _further(old):
        return False
    nested = opens_block(new.partition("\n")[0])
    again = [read_indent(line) for line in _further(new) if line.strip() == old.strip()]
    return any(len(indent) < len(before) + nested for indent in again)


def carry_after_indent(before: str, old: str, new: str) -> str:
    """Give the new string for a place with `before` to its left, or raise `ValidationError`."""
    if not _is_indent(before):
        return new
    if (
        (old.endswith("\n") and not new.strip())
        or (_is_blank(new.partition("\n")) and not _is_blank(old.partition("\n")))
        or read_indent(new) != read_indent(old)
        or find_flat_opener(_further(new))
        or _is_unclear(before, old, new)
    ):
        raise ValidationError(
            f"old_string begins after the indentation {before!r} of its line, so it is not clear "
            "how deep the lines of new_string are to stand. Give both strings from the beginning "
            "of the line."
        )
    return new


def _is_unclear(before: str, old: str, new: str) -> bool:
    known = _further(old)
    brought = _further(new)
    if known:
        # Only those that belong to the first one, up to a blank line or one of the old string.
        rest = new.split("\n")[1:]
        brought = list(takewhile(lambda line: line.strip() and line not in known, rest))
    # Further lines of the old string that are indented show that the strings are meant as they are.
    if not brought or any(read_indent(line) for line in known):
        return False
    return (
        bool(read_indent(old))
        or any(not read_indent(line).startswith(before) for line in brought)
        or (_goes_on(new.partition("\n")[0]) and len(read_indent(brought[0])) <= len(before))
    )


def keep_line_ends(before: str, after: str, old: str, new: str) -> str:
    """Keep the line end that an old string of whole lines has and the new one has not.

    `before` and `after` are the characters on both sides of the place, empty at the file's ends.
    """
    above = old.startswith("\n") and not _is_blank(new.partition("\n"))
    below = old.endswith("\n") and not new.endswith("\n")
    # Blank lines on both sides, or several, are more than a slip.
    several = old.startswith("\n\n") or old.endswith("\n\n")
    if not new or above == below or several:
        return new
    if below and before in {"", "\n"} and after not in {"", "\n"}:
        return new + "\n"
    if above and after in {"", "\n"} and before not in {"", "\n"}:
        return "\n" + new
    return new


def _is_blank(first: tuple[str, str, str]) -> bool:
    """Say whether a string begins with a blank line."""
    line, end, _ = first
    return bool(end) and not line.strip()


def _goes_on(line: str) -> bool:
    opened = sum(line.count(bracket) for bracket in "([{")
    return opens_block(line) or opened > sum(line.count(bracket) for bracket in ")]}")


def _is_indent(before: str) -> bool:
    return bool(before) and not before.strip(" \t")


def _further(new: str) -> list[str]:
    return [line for line in new.split("\n")[1:] if line.strip()]
