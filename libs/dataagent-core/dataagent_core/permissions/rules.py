"""What a rule is, and what rules say about one path, host or name, or about one simple command.

Within a source the last rule that fits wins. The sources are put together so:

    an operator's deny or ask is final
    an installation's rules only tighten; its deny is final
    a person's deny is final for the folder and the session
    a folder's rules only tighten until the person trusts it; then they count like the person's own
    an "always" of the session turns an ask into an allow, never a deny

A call has several parts; `decision.py` decides about the whole. Patterns are matched in
`patterns.py` and, for commands, in `command_patterns.py`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from dataagent_core.config.limits import (
    PERMISSION_PATTERNS_CACHED_MAX,
    PERMISSION_RULE_SETS_CACHED_MAX,
)
from dataagent_core.permissions.command_patterns import (
    find_literal_program,
    fits_for_allowing,
    fits_for_forbidding,
    has_wildcard,
)
from dataagent_core.permissions.patterns import (
    EVERYTHING,
    PatternMatch,
    escape_pattern,
    fits_name,
    fits_path,
)
from dataagent_core.permissions.shell.interpreters import reads_code
from dataagent_core.permissions.shell.line import SimpleCommand, bare_name
from dataagent_core.permissions.shell.risks import find_risky_words
from dataagent_core.permissions.tool_groups import (
    ALLOWED_BY_DEFAULT,
    GROUPS,
    PATH_TOOLS,
)
from dataagent_core.sandbox.host_guard.host_files import find_host_file

Action = Literal["allow", "ask", "deny"]
Source = Literal["default", "operator", "installation", "person", "project", "session"]

STRICTNESS: dict[Action, int] = {"allow": 0, "ask": 1, "deny": 2}
# The beginning of a reason that no mode answers.
HOST_FILE_ASKED = "asked: programs of this computer obey this file"


class Rule(NamedTuple):
    """Calls of `tool` on `resource` get `action`; both are patterns.

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
    """Every rule that counts for a call, by source.

    `project_trusted`: until the person trusts the folder, its rules may only tighten.
    """

    operator: tuple[Rule, ...] = ()
    # Only tightens: its allow rules are exceptions to its own, nothing more.
    installation: tuple[Rule, ...] = ()
    person: tuple[Rule, ...] = ()
    project: tuple[Rule, ...] = ()
    session: tuple[Rule, ...] = ()
    project_trusted: bool = False

    def only(self, keep: Callable[[Rule], bool]) -> "RuleSet":
        """Select some rules, so that the others are not compared again."""
        return RuleSet(
            operator=tuple(filter(keep, self.operator)),
            installation=tuple(filter(keep, self.installation)),
            person=tuple(filter(keep, self.person)),
            project=tuple(filter(keep, self.project)),
            session=tuple(filter(keep, self.session)),
            project_trusted=self.project_trusted,
        )

    def with_kept(self, kept: Iterable[Rule]) -> "RuleSet":
        """Add rules that a person kept elsewhere, each rule where its source counts."""
        kept_rules = tuple(kept)
        persons = tuple(rule for rule in kept_rules if rule.source == "person")
        session = tuple(rule for rule in kept_rules if rule.source != "person")
        return replace(self, person=(*self.person, *persons), session=session)

    def all(self) -> tuple[Rule, ...]:
        """List all rules in the order in which they are evaluated."""
        return (
            *self.operator,
            *self.installation,
            *self.person,
            *self.project,
            *self.session,
        )


class RuleDecision(NamedTuple):
    """What rules say about one resource: an action, why, and the rule (none: the default)."""

    action: Action
    reason: str
    rule: Rule | None = None


@lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)
def select_rules(tool: str, rules: RuleSet) -> RuleSet:
    """Select the rules that name a tool or one of its groups."""
    return rules.only(lambda rule: _is_about(rule.tool, tool))


@lru_cache(maxsize=PERMISSION_PATTERNS_CACHED_MAX)
def _is_about(pattern: str, tool: str) -> bool:
    groups = (group for group, tools in GROUPS.items() if tool in tools)
    return any(fits_name(pattern, name) for name in (tool, *groups))


def holds_commands_back(shell: str, rules: RuleSet) -> bool:
    """Say whether a rule denies or asks about commands, or about files that they may open."""
    touched = (shell, "read_file", "write_file")
    return any(
        rule.action != "allow" for tool in touched for rule in select_rules(tool, rules).all()
    )


def decide_resource(tool: str, resource: str, about: RuleSet) -> RuleDecision:
    """Decide by the rules about a tool (`select_rules`) whether it may use a resource."""
    is_path = tool in PATH_TOOLS

    def fits(rule: Rule) -> PatternMatch:
        if rule.resource in EVERYTHING:
            return PatternMatch.YES
        found = (fits_path if is_path else fits_name)(rule.resource, resource)
        # What is not known may be what is forbidden, never what is allowed.
        unsure = found is PatternMatch.MAYBE and rule.action == "allow"
        return PatternMatch.NO if unsure else found

    default = (
        RuleDecision("allow", f"default: {tool} is allowed")
        if tool in ALLOWED_BY_DEFAULT
        else RuleDecision("ask", f"default: {tool} asks")
    )
    decided = _decide_by_sources(about, fits, default)
    if tool in GROUPS["write"] and decided.action != "deny":
        return _ask_about_host_file(resource, decided)
    return decided


def _ask_about_host_file(resource: str, decided: RuleDecision) -> RuleDecision:
    """Ask before a file is written that programs of the host obey, unless a rule names it."""
    found = find_host_file(tuple(name for name in resource.split("/") if name))
    if found is None:
        return decided
    rule = decided.rule
    if (
        rule is not None
        and rule.resource.rpartition("/")[2] == escape_pattern(resource).rpartition("/")[2]
    ):
        return decided
    return RuleDecision("ask", f"{HOST_FILE_ASKED}: {found.who}")


@lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)
def make_command_rules(tool: str, rules: RuleSet) -> "CommandRules":
    """Give the rules about a tool's commands; the rules of a run seldom change."""
    return CommandRules(select_rules(tool, rules))


class CommandRules:
    """The rules about a shell, which decide about simple commands."""

    def __init__(self, about: RuleSet) -> None:
        self._about = about
        programs = {find_literal_program(rule.resource) for rule in about.all()}
        self._programs = frozenset(program for program in programs if program is not None)
        # Never more than twice as many as there are programs in the rules.
        self._naming: dict[frozenset[str], RuleSet] = {}

    def decide(self, command: SimpleCommand, default: RuleDecision) -> RuleDecision:
        """Decide about a command; `default` is for one that no rule is about."""
        about, words = self._select_naming(command), command.words
        if not about.all():
            return default

        def fits(rule: Rule) -> PatternMatch:
            if rule.action != "allow":
                return fits_for_forbidding(rule.resource, words)
            sure = fits_for_allowing(rule.resource, words, find_risky_words(words))
            # A wildcard allows no code that comes from the input, as it does no `-c`.
            narrow = has_wildcard(rule.resource) and rule.resource not in EVERYTHING
            unseen = sure and narrow and reads_code(words)
            return PatternMatch.YES if sure and not unseen else PatternMatch.NO

        return _decide_by_sources(about, fits, default)

    def _select_naming(self, command: SimpleCommand) -> RuleSet:
        first = command.words[0]
        if not first.known:
            return self._about
        named = self._programs.intersection((first.text, bare_name(first.text)))
        if named not in self._naming:
            wanted = {None, *named}
            self._naming[named] = self._about.only(
                lambda rule: find_literal_program(rule.resource) in wanted
            )
        return self._naming[named]


def _decide_by_sources(
    rules: RuleSet, fits: Callable[[Rule], PatternMatch], default: RuleDecision
) -> RuleDecision:
    if not rules.all():
        return default
    operator, operator_may = _last_match(rules.operator, fits)
    installation, installation_may = _last_match(rules.installation, fits)
    person, person_may = _last_match(rules.person, fits)
    project, project_may = _last_match(rules.project, fits)
    session, _ = _last_match(rules.session, fits)

    winner: Rule | RuleDecision = person or operator or default
    if project is not None and (
        is_stricter(project.action, winner.action)
        or (rules.project_trusted and winner.action != "deny")
    ):
        winner = project
    if installation is not None and is_stricter(installation.action, winner.action):
        winner = installation
    if session is not None and winner.action == "ask":
        winner = session
    if operator is not None and is_stricter(operator.action, winner.action):
        winner = operator
    may_fit = operator_may or installation_may or person_may or project_may
    # What is asked by default anyway is asked because of that rule: no mode answers it.
    if may_fit is not None and (winner.action == "allow" or winner is default):
        return RuleDecision("ask", f"it may be what a rule is about: {may_fit}", may_fit)
    if isinstance(winner, Rule):
        return RuleDecision(winner.action, f"rule: {winner}", winner)
    return winner


def _last_match(
    rules: tuple[Rule, ...], fits: Callable[[Rule], PatternMatch]
) -> tuple[Rule | None, Rule | None]:
    """Give the last rule of a source that fits, and a stricter one behind it that may fit.

    A rule that forbids or asks, and may fit once everything is known, makes the call ask.
    """
    may_fit: Rule | None = None
    for rule in reversed(rules):
        found = fits(rule)
        if found is PatternMatch.YES:
            stands = may_fit is not None and is_stricter(may_fit.action, rule.action)
            return rule, may_fit if stands else None
        if found is PatternMatch.MAYBE and rule.action != "allow" and may_fit is None:
            may_fit = rule
    return None, may_fit


def is_stricter(one: Action, other: Action) -> bool:
    """Say whether the first is stricter than the second."""
    return STRICTNESS[one] > STRICTNESS[other]
