"""The decision about one simple command."""

from functools import lru_cache

from dataagent_core.config.limits import PERMISSION_RULE_SETS_CACHED_MAX
from dataagent_core.permissions.decide_tool import rules_about
from dataagent_core.permissions.match import Match
from dataagent_core.permissions.patterns import is_everything
from dataagent_core.permissions.rule import Rule, RuleSet
from dataagent_core.permissions.shell.harmless import Ground
from dataagent_core.permissions.shell.interpreters import reads_code
from dataagent_core.permissions.shell.line import SimpleCommand
from dataagent_core.permissions.shell.names import bare_name
from dataagent_core.permissions.shell.risks import risky_places
from dataagent_core.permissions.shell.word import Word
from dataagent_core.permissions.sources import Decided, decide_by_rules
from dataagent_core.permissions.word_patterns import (
    fits_for_allowing,
    fits_for_forbidding,
    has_wildcard,
    literal_program,
)

CARRIES = Decided("allow", "default: it only starts another command")
ASKS = Decided("ask", "default: commands ask")
HARMLESS: dict[Ground, Decided] = {
    "exact": Decided("allow", "default: it is on the exact list"),
    "shell": Decided("allow", "default: it changes nothing but the shell itself"),
    "looks": Decided("allow", "default: it only looks"),
}


@lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)
def judge_of(tool: str, rules: RuleSet) -> "CommandJudge":
    """Give the judge of a tool's commands; the rules of a run seldom change."""
    return CommandJudge(rules_about(tool, rules))


class CommandJudge:
    """Judges simple commands by the rules about their tool."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        programs = {literal_program(rule.resource) for rule in rules.all()}
        self._programs = frozenset(program for program in programs if program is not None)
        # Never more than twice as many as there are programs in the rules.
        self._naming: dict[frozenset[str], RuleSet] = {}

    def decide(self, command: SimpleCommand, default: Decided) -> Decided:
        """Decide about a command that no rule speaks of as `default` says."""
        rules = self._about(command)
        if not rules:
            return default
        words = command.words

        def fits(rule: Rule) -> Match:
            if rule.action == "allow":
                sure = fits_for_allowing(rule.resource, words, risky_places(words))
                return Match.YES if sure and not _is_code_unseen(rule, words) else Match.NO
            return fits_for_forbidding(rule.resource, words)

        return decide_by_rules(rules, fits, default)

    def _about(self, command: SimpleCommand) -> RuleSet:
        """Leave out the rules that name another program."""
        first = command.words[0]
        if not first.known:
            return self._rules
        named = self._programs.intersection((first.text, bare_name(first.text)))
        if named not in self._naming:
            wanted = {None, *named}
            self._naming[named] = self._rules.only(
                lambda rule: literal_program(rule.resource) in wanted
            )
        return self._naming[named]


def _is_code_unseen(rule: Rule, words: tuple[Word, ...]) -> bool:
    """Say whether a wildcard would allow code that comes from the input, as it does no `-c`."""
    return has_wildcard(rule.resource) and not is_everything(rule.resource) and reads_code(words)
