"""What becomes of each edit, counted."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.edit_file import find_damage
from dataagent_core.tools.files.edits.edit_application import Edit, EditedText, apply_edit
from dataagent_core.tools.files.syntax import find_broken_syntax
from edit_corpus.changes import Change, changes_of, wrapped
from edit_corpus.faults import WITHIN_A_LINE, Fault
from edit_corpus.versions import Versions

_WRAPPED_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Corruption:
    """An edit that was applied and gave another text than it should."""

    fault: str
    strategy: str
    change: Change
    old: str
    new: str
    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """An edit that was not applied, and why."""

    fault: str
    change: Change
    old: str
    new: str
    reason: str


@dataclass(frozen=True, slots=True)
class Table:
    """How many edits of each fault were right, refused or wrong."""

    counts: dict[str, Counter[str]]
    corruptions: list[Corruption]
    refusals: list[Refusal]

    def share(self, outcome: str, faults: Iterable[str]) -> float:
        """Give the share of an outcome among the edits with some faults."""
        rows = [self.counts[fault] for fault in faults if fault in self.counts]
        return sum(row[outcome] for row in rows) / max(sum(row.total() for row in rows), 1)

    def __str__(self) -> str:
        rows = [f"{'fault':34}{'right':>8}{'refused':>9}{'wrong':>7}"]
        rows += [
            f"{fault:34}{row['right']:8}{row['refused']:9}{row['wrong']:7}"
            for fault, row in self.counts.items()
        ]
        return "\n".join(rows)


def edits_of(versions: Iterable[Versions], random: Random) -> Iterator[Change]:
    """Give every change, and every tenth also as one that wraps its lines in a block.

    A part of a change after which the file cannot be parsed until the others are made is left out:
    it is rightly refused.
    """
    for pair in versions:
        for change in changes_of(pair, random):
            several = [change]
            if random.random() < _WRAPPED_SHARE and (block := wrapped(change)):
                several.append(block)
            yield from (
                one for one in several if find_broken_syntax(one.path, one.text, one.gold) is None
            )


def measure(changes: Iterable[Change], faults: dict[str, Fault], random: Random) -> Table:
    """Apply every edit with every fault."""
    table = Table({fault: Counter() for fault in faults}, [], [])
    for change in changes:
        for name, fault in faults.items():
            strings = fault(change.old, change.new, random)
            if strings is None or _says_so(change, name, *strings):
                continue
            edited = applied(change.path, change.text, *strings)
            if isinstance(edited, ValidationError):
                table.counts[name]["refused"] += 1
                table.refusals.append(Refusal(name, change, *strings, str(edited)))
            elif edited.text == change.gold:
                table.counts[name]["right"] += 1
            else:
                table.counts[name]["wrong"] += 1
                wrong = Corruption(name, edited.strategy, change, *strings, edited.text)
                table.corruptions.append(wrong)
    return table


def _says_so(change: Change, fault: str, old: str, new: str) -> bool:
    """Say whether the spoilt strings ask for another change, and that without any fault."""
    if old == new:
        return True
    if fault in WITHIN_A_LINE:
        return old == change.old
    return (old, new) != (change.old, change.new) and old in change.text + "\n\n"


def applied(path: str, text: str, old: str, new: str) -> EditedText | ValidationError:
    """Make an edit as the tool does when it is asked once, or give the reason of its refusal."""
    try:
        edited = apply_edit(text, Edit(old, new))
    except ValidationError as error:
        return error
    damage = find_damage(path, text, [edited])
    return ValidationError(damage) if damage else edited
