"""What the rules of a run deny to read: for the tools, and for the commands it starts.

The rules of a sub-agent deny for its own calls, beside those of the agent: none of them allows what
another one denies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from dataagent_core.permissions.denied.denied_files import (
    DeniedReads,
    find_denied,
    find_files_with_more_names,
    list_denied_reads,
)
from dataagent_core.permissions.rules import Rule, RuleSet
from dataagent_core.sandbox.paths.closed_paths import FileIdentity
from dataagent_core.sandbox.paths.path_masks import FindDenials, FindMasks, PathMask, ReadDenials
from dataagent_core.tools.pipeline.agent_call import running_call

# What its person has said elsewhere for good, and the rules of each sub-agent at work.
_Added = tuple[tuple[Rule, ...], tuple[tuple[Rule, ...], ...]]


@dataclass(frozen=True, slots=True)
class RuleDenials:
    """What sets of rules deny, for whoever opens files."""

    denied: tuple[DeniedReads, ...]

    def holds(self, path: str) -> bool:
        """Say whether a path is denied."""
        return any(one.holds(path) for one in self.denied)

    def holds_file(self, folder_fd: int, identity: FileIdentity) -> bool:
        """Say whether a denied path is another name of a file. It blocks."""
        return any(identity in find_files_with_more_names(folder_fd, one) for one in self.denied)


def make_denial_finder(rules: RuleSet, place: str = "/") -> FindDenials:
    """Hold what an agent's rules deny in the folder at `place`, and those that a call adds."""

    # Asked for every file that is opened, while what is added is little.
    @lru_cache(maxsize=4)
    def denials(added: _Added) -> ReadDenials | None:
        denied = (list_denied_reads(one, place) for one in _list_rule_sets(rules, added))
        all_denied = tuple(chain.from_iterable(denied))
        return RuleDenials(all_denied) if all_denied else None

    return lambda: denials(_read_added_rules())


def make_mask_finder(rules: RuleSet, place: str = "/") -> FindMasks:
    """Cover the same files and folders before a command."""

    def find(folder_fd: int) -> Sequence[PathMask]:
        found: dict[str, PathMask] = {}
        for one in _list_rule_sets(rules, _read_added_rules()):
            found |= {mask.path: mask for mask in find_denied(one, place)(folder_fd)}
        return list(found.values())

    return find


def _list_rule_sets(rules: RuleSet, added: _Added) -> list[RuleSet]:
    kept, of_subagents = added
    return [rules.with_kept(kept), *(RuleSet(operator=one) for one in of_subagents)]


def _read_added_rules() -> _Added:
    current = running_call()
    if current is None:
        return (), ()
    return tuple(current.context.permissions.session_rules), current.context.subagent_rules
