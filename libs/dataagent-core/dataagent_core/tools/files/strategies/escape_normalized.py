r"""Finds an old string that was escaped once too often: a written `\n` that means a line end."""

from functools import partial

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.strategies.alignment import side_by_side
from dataagent_core.tools.files.strategies.escapes import WAYS, Strings, splits_quotes
from dataagent_core.tools.files.strategies.lines import block_of, lines_in, places_of
from dataagent_core.tools.files.strategies.merge import merged
from dataagent_core.tools.files.strategies.replacement import Place


def escape_normalized(text: str, old: str, new: str) -> list[Place]:
    """Undo one level of escapes in both strings and find the old one as whole lines."""
    if "\\" not in old:
        return []
    readings = {strings for way in WAYS if (strings := way(old, new)) is not None}
    source = lines_in(text)
    found: dict[tuple[int, int], set[str]] = {}
    places: list[Place] = []
    for plain_old, plain_new in readings:
        wanted = block_of(plain_old)
        if plain_old == old or not plain_old.strip():
            continue
        for first in places_of(wanted.lines, source.lines):
            place = merged(side_by_side(source, first, wanted, block_of(plain_new)))
            meanings = found.setdefault((place.start, place.end), set())
            meanings.add(plain_new)
            if len(meanings) == 1:
                carry = partial(_carried, place, (old, new), (plain_old, plain_new), meanings)
                places.append(Place(place.start, place.end, carry))
    return sorted(places, key=lambda place: place.start)


def _carried(place: Place, strings: Strings, plain: Strings, meanings: set[str]) -> str:
    known = set(plain[0].split("\n"))
    brought = [line for line in plain[1].split("\n") if line not in known]
    # Where quotes or backslashes are escaped as well, an escape that is meant is escaped twice.
    thorough = any(escape in string for string in strings for escape in ("\\\\", '\\"'))
    if len(meanings) > 1 or (not thorough and splits_quotes(brought)):
        raise ValidationError(
            "old_string is escaped once too often, and it is not clear which escapes of new_string "
            "are meant as they are."
        )
    return place.carry()
