"""What the rules of a run deny to read: for the tools, and for the commands it starts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dataagent_core.permissions.denied_files import (
    DeniedReads,
    denied_reads,
    find_denied,
    find_files_with_more_names,
)
from dataagent_core.permissions.rules import Rule, RuleSet
from dataagent_core.sandbox.paths.closed_paths import FileIdentity
from dataagent_core.sandbox.paths.path_masks import FindDenials, FindMasks, PathMask, ReadDenials
from dataagent_core.tools.pipeline.agent_call import running_call


@dataclass(frozen=True, slots=True)
class RuleDenials:
    """What rules deny, for whoever opens files."""

    denied: DeniedReads

    def holds(self, path: str) -> bool:
        """Say whether a path is denied."""
        return self.denied.holds(path)

    def holds_file(self, workspace_fd: int, identity: FileIdentity) -> bool:
        """Say whether a denied path is another name of a file. It blocks."""
        return identity in find_files_with_more_names(workspace_fd, self.denied)


def make_denial_finder(rules: RuleSet) -> FindDenials:
    """Hold what an agent's rules deny, and what its person has said elsewhere for good."""

    # Asked for every file that is opened, while what a person adds is little.
    @lru_cache(maxsize=4)
    def denials(kept: tuple[Rule, ...]) -> ReadDenials | None:
        denied = denied_reads(rules.with_kept(kept))
        return RuleDenials(denied) if denied else None

    return lambda: denials(_read_session_rules())


def make_mask_finder(rules: RuleSet) -> FindMasks:
    """Cover the same files and folders before a command."""

    def find(workspace_fd: int) -> Sequence[PathMask]:
        return find_denied(rules.with_kept(_read_session_rules()))(workspace_fd)

    return find


def _read_session_rules() -> tuple[Rule, ...]:
    current = running_call()
    return () if current is None else tuple(current.context.permissions.session_rules)
