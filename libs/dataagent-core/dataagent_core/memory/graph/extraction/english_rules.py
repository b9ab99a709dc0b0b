"""How relations are said in English. An object ends where something else begins. Pure."""

import re
from typing import Final

from dataagent_core.memory.graph.extraction.extraction import (
    DATE,
    ORGANISATION,
    PERSON,
    PLACE,
)
from dataagent_core.memory.graph.extraction.relation_rule import RelationRule

_NAME: Final = r"[A-Z][\w'\u2019&-]*(?: (?:of |de |van |von )?[A-Z][\w'\u2019&-]*){0,3}"
_SUBJECT: Final = (
    rf"(?P<s>\b(?:I|We|we|[Mm]y [a-z]+(?: [a-z]+)?|[Oo]ur [a-z]+(?: [a-z]+)?|{_NAME}|"
    r"[Tt]he [a-z]+(?: [a-z]+)?))"
)
_ADVERB: Final = r"(?: (?:now|currently|also|still|really|recently|just|always|usually|mostly))?"
_OBJECT: Final = (
    r" (?P<o>[^\s,;:.!?()][^,;:!?()]*?)"
    r"(?=(?: (?:and|but|because|since|so|when|while|if|after|before|until|who|which|that|where|"
    r"as|from|for|with|on|now|today|again|anymore|any more|these days|last|next|this|yesterday|"
    r"tomorrow|in (?:19|20))\b)|[,;:!?()]|\.(?:\s|$)|$)"
)
_DID: Final = r"(?:'ve| have| has)?"


def _english(verbs: str) -> re.Pattern[str]:
    return re.compile(f"{_SUBJECT}{_ADVERB}{verbs}{_OBJECT}")


ENGLISH_RULES: Final = (
    RelationRule("works at", _english(r"(?: no longer works?| (?:don't|doesn't) work)(?: at| for)"),
                 PERSON, ORGANISATION, ends=True),
    RelationRule("works at", _english(r"(?: left| quit)(?: my job at)?"), PERSON, ORGANISATION,
                 ends=True),
    RelationRule("works at", _english(rf"(?:'m| am| is)?{_ADVERB} (?:work|works|working|employed)"
                                      r"(?: at| for| with| by)"), PERSON, ORGANISATION),
    RelationRule("works at", _english(rf"{_DID} (?:joined|started at)"), PERSON, ORGANISATION),
    RelationRule("lives in", _english(r"(?: no longer lives?| used to live| (?:don't|doesn't) live)"
                                      r" in"), PERSON, PLACE, ends=True),
    RelationRule("lives in", _english(rf"{_DID} (?:live|lives|moved|relocated)(?: in| to)"),
                 PERSON, PLACE),
    RelationRule("lives in", _english(r"(?:'m| am| is) (?:living|based) in"), PERSON, PLACE),
    RelationRule("comes from", _english(r"(?:'m| am| is| come| comes) (?:originally )?from"),
                 PERSON, PLACE),
    RelationRule("has birthday", re.compile(
        r"(?P<s>\b[Mm]y|[A-Z][\w-]*(?: [A-Z][\w-]*)?)(?:['\u2019]s)? birthday is(?: on)?"
        r" (?P<o>[^,;.!?]+)"), PERSON, DATE),
    RelationRule("has birthday", _english(r"(?: was| were) born(?: on| in)"), PERSON, DATE),
    RelationRule("is married to", _english(r"(?:'m| am| is)(?: married to|n't married to)"),
                 PERSON, PERSON),
    RelationRule("reports to", _english(r" reports? to"), PERSON, PERSON),
    RelationRule("manages", _english(r" (?:manages?|leads?|runs?|owns?)"), PERSON),
    RelationRule("founded", _english(rf"{_DID} (?:founded|co-founded|started)"), PERSON,
                 ORGANISATION),
    RelationRule("studies", _english(r" (?:study|studies|studied|graduated)(?: at| from)"), PERSON,
                 ORGANISATION),
    RelationRule("uses", _english(r" uses?")),
    RelationRule("likes", _english(r" (?:like|likes|love|loves|enjoy|enjoys|prefer|prefers)"),
                 PERSON),
    RelationRule("dislikes", _english(r"(?: hates?| dislikes?| (?:don't|doesn't|do not|does not)"
                                      r" like)"), PERSON),
    RelationRule("is allergic to", _english(r"(?:'m| am| is) allergic to"), PERSON),
    RelationRule("is located in", _english(r" (?:is|are) (?:located|headquartered) in"),
                 ORGANISATION, PLACE),
    RelationRule("belongs to", _english(r" (?:belongs to|is part of|is owned by)")),
    RelationRule("is named", re.compile(
        r"(?P<s>\b[Mm]y(?: [a-z]+){0,2}) name is"
        r" (?P<o>[A-Z][\w'\u2019-]*(?: [A-Z][\w'\u2019-]*)?)"),
                 PERSON, PERSON),
    RelationRule("is named", re.compile(
        r"(?P<s>\b[Mm]y [a-z]+(?: [a-z]+)?) is (?:called|named) (?P<o>[A-Z][\w'\u2019-]*)")),
    RelationRule("is", _english(r"(?:'m| am| is| are| was) (?:an?|the)")),
    RelationRule("is", re.compile(
        r"(?P<s>\b[Mm]y fav(?:ou?)rite [a-z]+(?: [a-z]+)?|[Tt]he [a-z]+(?: [a-z]+){0,2}) is"
        r" (?P<o>[A-Z\d][^,;.!?]*)")),
)  # fmt: skip
# Without one of these words in a clause no rule fits: most clauses are done here.
ENGLISH_HINT: Final = re.compile(
    r"\b(?:work|works|working|employed|left|quit|joined|started|live|lives|living|moved|relocated|"
    r"based|from|birthday|born|married|reports?|manages?|leads?|runs?|owns?|founded|co-founded|"
    r"study|studies|studied|graduated|uses?|likes?|loves?|enjoys?|prefers?|hates?|dislikes?|"
    r"allergic|located|headquartered|belongs|part of|owned|name|called|named|am|is|are|was)\b|'m\b"
)
