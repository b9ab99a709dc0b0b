"""Names in a text: words with a capital letter, titles, ends of names of companies. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from dataagent_core.language.common_words import is_common
from dataagent_core.memory.graph.extraction.extraction import (
    CONCEPT,
    ORGANISATION,
    PERSON,
    PLACE,
    SELF_NAME,
    EntityType,
    ExtractedEntity,
)

_WORD: Final = r"(?:[A-Z][a-z]+(?:[A-Z][a-z]+)*|[A-Z]{2,}\d*|[A-Z]\d+)(?:-[A-Z]?\w+)?"
_NAME: Final = re.compile(
    rf"\b(?:(?:Dr|Mr|Ms|Mrs)\. )?{_WORD}(?: (?:of |de |van |von )?{_WORD}){{0,3}}\b"
)
_QUOTED: Final = re.compile(r"《([^》\n]{1,40})》|「([^」\n]{1,40})」")
_CHINESE_NAME: Final = re.compile(
    "[\u4e00-\u9fff]{2,12}?(?:有限公司|公司|集团|银行|大学|学院|医院|研究院|研究所|项目|团队)"
)
# What stands before a name: of "妹妹在北京大学" the name is what follows.
_LEADING: Final = re.compile("我们|他们|这家|那家|这个|那个|[我他她在于去从和与是了的到给对把被]")
_ORGANISATION: Final = re.compile(
    r"\b(?:Inc|Ltd|LLC|Corp|GmbH|AG|SA|Company|University|Institute|Bank|Group|Labs?|Hospital|"
    r"Team)\b|(?:公司|集团|银行|大学|学院|医院|研究院|研究所)$"
)
_TITLE: Final = re.compile(r"^(?:Dr|Mr|Ms|Mrs)\. ")
_NO_NAME_TEXT: Final = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december ok yes no hi hello thanks please great good well sure
okay sorry maybe also then today tomorrow yesterday now however remember note let's let our my your
his her their
"""
_NO_NAME: Final = frozenset(_NO_NAME_TEXT.split())
_PLACE_BEFORE: Final = re.compile(r"\b(?:in|to|near|visiting|visit|around)\s$")


def find_names(clause: str) -> Iterator[ExtractedEntity]:
    """Find names in a sentence."""
    for found in _NAME.finditer(clause):
        name = found[0]
        # A capital letter at the start of a sentence says nothing.
        is_first = found.start() == 0 and " " not in name and not name.isupper()
        if is_first and not _is_likely(name, clause):
            continue
        first = name.split()[0].casefold()
        if first in _NO_NAME or is_common(first):
            name = name.partition(" ")[2]
        if len(name) > 1 and name != SELF_NAME and name.casefold() not in _NO_NAME:
            yield ExtractedEntity(name=name, type=_guess_type(name, clause[: found.start()]))
    for found in _QUOTED.finditer(clause):
        yield ExtractedEntity(name=found[1] or found[2], type=CONCEPT)
    for found in _CHINESE_NAME.finditer(clause):
        name = _LEADING.split(found[0])[-1]
        if len(name) > len("公司"):
            yield ExtractedEntity(name=name, type=_guess_type(name, ""))


def _is_likely(name: str, clause: str) -> bool:
    """Say whether the first word is a name: one of everyday use is none, with a verb it is one."""
    if is_common(name.casefold()):
        return False
    rest = clause[len(name) :]
    return bool(
        re.match(
            r"(?:['\u2019]s\b|,? (?:is|was|has|will|works?|lives?|said|says|and [A-Z]|from)\b)",
            rest,
        )
    )


def _guess_type(name: str, before: str) -> EntityType:
    if _ORGANISATION.search(name):
        return ORGANISATION
    if _TITLE.match(name):
        return PERSON
    return PLACE if _PLACE_BEFORE.search(before) else CONCEPT
