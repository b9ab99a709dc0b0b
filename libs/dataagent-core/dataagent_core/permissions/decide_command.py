"""The decision about one simple command."""

from dataagent_core.permissions.match import Match
from dataagent_core.permissions.rule import Rule, RuleSet
from dataagent_core.permissions.shell.harmless import is_harmless
from dataagent_core.permissions.shell.line import SimpleCommand
from dataagent_core.permissions.shell.names import bare_name
from dataagent_core.permissions.shell.risks import risky_places
from dataagent_core.permissions.sources import Decided, decide_by_rules
from dataagent_core.permissions.word_patterns import (
    fits_for_allowing,
    fits_for_forbidding,
    literal_program,
)

_CARRIES = Decided("allow", "default: it only starts another command")
_LOOKS = Decided("allow", "default: it only looks")
_ASKS = Decided("ask", "default: commands ask")


class CommandJudge:
    """Judges the commands of one line by the rules about its tool."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._programs = {literal_program(rule.resource) for rule in rules.all()}
        self._of_any = rules.only(lambda rule: literal_program(rule.resource) is None)

    def decide(self, command: SimpleCommand) -> Decided:
        risky = risky_places(command.words)

        def fits(rule: Rule) -> Match:
            if rule.action == "allow":
                sure = fits_for_allowing(rule.resource, command.words, risky)
                return Match.YES if sure else Match.NO
            return fits_for_forbidding(rule.resource, command.words)

        default = _CARRIES if command.carrier else _LOOKS if is_harmless(command) else _ASKS
        return decide_by_rules(self._about(command), fits, default)

    def _about(self, command: SimpleCommand) -> RuleSet:
        """Leave out the rules that name another program."""
        if not command.words[0].known:
            return self._rules
        names = {command.name, bare_name(command.name)}
        if names.isdisjoint(self._programs):
            return self._of_any
        return self._rules.only(lambda rule: literal_program(rule.resource) in {None, *names})
