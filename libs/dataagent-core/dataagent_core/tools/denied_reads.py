"""What the rules of a run deny to read: for the tools, and for the commands it starts."""

from collections.abc import Sequence

from dataagent_core.permissions.denied_reads import IsDenied, denied_reads
from dataagent_core.permissions.find_denied import find_denied
from dataagent_core.permissions.rule import RuleSet
from dataagent_core.sandbox.masks import DeniedNow, FindMasks, Mask
from dataagent_core.tools.running import running_call


def denied_in_runs(rules: RuleSet) -> DeniedNow:
    """Hold what an agent's rules deny, and what its person has said elsewhere for good."""

    def now() -> IsDenied | None:
        denied = denied_reads(_in_run(rules))
        return denied.holds if denied else None

    return now


def masks_of_runs(rules: RuleSet) -> FindMasks:
    """Cover the same files and folders before a command."""

    def find(workspace_fd: int) -> Sequence[Mask]:
        return find_denied(_in_run(rules))(workspace_fd)

    return find


def _in_run(rules: RuleSet) -> RuleSet:
    current = running_call()
    return rules if current is None else rules.with_kept(current.scope.session_rules)
