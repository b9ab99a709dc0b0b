"""Reads what a text says something about, and what: "I live in Berlin" is `i live in`, `berlin`.

Of two statements with one subject and different values that are true at once, the newer one closes
the older one. A text with no such form has no subject: then nothing is closed, and both are kept.
Pure.
"""

from dataclasses import dataclass
from typing import Final

from dataagent_core.config.limits.memory import MEMORY_SUBJECT_CHARS_MAX
from dataagent_core.language.word_split import split_runs
from dataagent_core.memory.changes.statement_rules import RULES
from dataagent_core.memory.text_digest import fold_text
from dataagent_core.memory.texts.clauses import split_clauses

_YES: Final = "yes"
_NO: Final = "no"
# Who is meant by the person's own words, and by those of whoever writes them down.
_PERSON: Final = frozenset(
    {"", "i", "my", "user", "the user", "user's", "the user's", "我", "用户", "该用户"}
)
_GROUP: Final = frozenset({"we", "our", "我们"})
_EMPTY: Final = frozenset({"a", "an", "the", "some", "to"})


@dataclass(frozen=True, slots=True)
class SubjectStatement:
    """What is said of a subject; two values of one subject cannot be true at once."""

    subject: str
    value: str


def read_statement(text: str) -> SubjectStatement | None:
    """Read the statement that a text is; None where it is several, or of no known form."""
    clauses = [clause for clause in split_clauses(text) if clause.is_statement]
    if len(clauses) != 1:
        return None
    for rule in RULES:
        found = rule.form.match(clauses[0].text)
        if found is None:
            continue
        groups = found.groupdict()
        about = _list_core(groups.get("about") or "")
        subject = " ".join((_name_who(groups.get("who")), rule.subject.format(about=about)))
        value = groups.get("value")
        said = _list_core(value) if value else _NO if groups.get("no") else _YES
        if said and len(subject) <= MEMORY_SUBJECT_CHARS_MAX:
            return SubjectStatement(subject, said)
    return None


def contradicts(one: str, other: str) -> bool:
    """Say whether two texts about one subject say different things of it."""
    mine, theirs = read_statement(one), read_statement(other)
    if mine is None or theirs is None or mine.subject != theirs.subject:
        return fold_text(one) != fold_text(other)
    return mine.value != theirs.value


def _name_who(who: str | None) -> str:
    folded = fold_text(who or "")
    if folded in _PERSON:
        return "i"
    return "we" if folded in _GROUP else folded.removesuffix("'s").removeprefix("the ")


def _list_core(text: str) -> str:
    """Give the words of a value in small letters, without articles."""
    return " ".join(run for run in split_runs(text.lower()) if run not in _EMPTY)
