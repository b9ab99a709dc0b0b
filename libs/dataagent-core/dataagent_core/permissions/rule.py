"""A rule, and the rules of each source.

Who wrote a rule decides how much it may say; how the sources are combined is `sources.py`'s.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from dataagent_core.permissions.action import Action

Source = Literal["default", "operator", "installation", "person", "project", "session"]


class Rule(NamedTuple):
    """Calls of `tool` on `resource` get `action`; both are patterns (`patterns.py`).

    A tuple, because sets of rules are looked up in caches and a dataclass is slow to hash.
    """

    tool: str
    resource: str
    action: Action
    source: Source

    def __str__(self) -> str:
        return f"{self.action} {self.tool} {self.resource!r} ({self.source})"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """Every rule that counts for a call; within a source the last match wins.

    `project_trusted`: until the person trusts the folder, its rules may only tighten.
    """

    operator: tuple[Rule, ...] = ()
    # Only tightens: its allow rules are exceptions to its own, nothing more.
    installation: tuple[Rule, ...] = ()
    person: tuple[Rule, ...] = ()
    project: tuple[Rule, ...] = ()
    session: tuple[Rule, ...] = ()
    project_trusted: bool = False

    def __bool__(self) -> bool:
        return bool(self.all())

    def only(self, keep: Callable[[Rule], bool]) -> "RuleSet":
        """Leave only some rules, so that they are not looked at again and again."""
        return RuleSet(
            operator=tuple(filter(keep, self.operator)),
            installation=tuple(filter(keep, self.installation)),
            person=tuple(filter(keep, self.person)),
            project=tuple(filter(keep, self.project)),
            session=tuple(filter(keep, self.session)),
            project_trusted=self.project_trusted,
        )

    def with_kept(self, kept: Iterable[Rule]) -> "RuleSet":
        """Add what a person said for good elsewhere, each rule where its source counts."""
        said = tuple(kept)
        persons = tuple(rule for rule in said if rule.source == "person")
        session = tuple(rule for rule in said if rule.source != "person")
        return replace(self, person=(*self.person, *persons), session=session)

    def all(self) -> tuple[Rule, ...]:
        """List the rules somebody wrote, in the order in which they are looked at."""
        return (
            *self.operator,
            *self.installation,
            *self.person,
            *self.project,
            *self.session,
        )
