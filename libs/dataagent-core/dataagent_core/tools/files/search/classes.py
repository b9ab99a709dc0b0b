"""Classes of characters: `[a-z_]`, `[^"]`."""

from dataagent_core.tools.files.search import widening
from dataagent_core.tools.files.search.escapes import escaped_char
from dataagent_core.tools.files.search.reader import Reader

_DIFFERS = "inside [...] this is read differently; put a backslash before it"
_SET_OPERATORS = ("&&", "--", "~~", "||")


def char_class(reader: Reader) -> str:
    """Translate a class for ripgrep, or refuse it."""
    reader.take()
    negated = reader.begins("^") and bool(reader.take())
    items: list[str] = []
    opened = False
    # A bracket in the first place stands for itself.
    while not items or not reader.begins("]"):
        if reader.at >= len(reader.pattern):
            raise reader.refuse("a class [...] is not closed")
        letter = reader.escaped_letter()
        if letter and letter in widening.WIDER:
            reader.take(2)
            items.append((widening.NARROWER if negated else widening.WIDER)[letter])
            opened |= letter in widening.OPEN
        else:
            items.append(_member(reader))
    reader.take()
    return widening.char_class(
        items, negated=negated, opened=opened, ignore_case=reader.ignore_case
    )


def _member(reader: Reader) -> str:
    first = _char(reader)
    following = reader.pattern[reader.at + 1 : reader.at + 2]
    if not reader.begins("-") or following in ("", "]"):
        return widening.literal(first, ignore_case=False)
    if reader.begins("--"):
        raise reader.refuse(_DIFFERS)
    reader.take()
    last = _char(reader)
    if last < first:
        raise reader.refuse(f"the range {first}-{last} runs backwards")
    ends = (widening.literal(char, ignore_case=False) for char in (first, last))
    return "-".join(ends)


def _char(reader: Reader) -> str:
    if reader.begins("\\"):
        return escaped_char(reader)
    if reader.begins("[") or any(reader.begins(sign) for sign in _SET_OPERATORS):
        raise reader.refuse(_DIFFERS)
    return reader.plain()
