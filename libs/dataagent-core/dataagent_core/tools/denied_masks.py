"""What a command may not open, by the rules of the run it belongs to."""

from collections.abc import Sequence

from dataagent_core.permissions.denied_reads import find_denied
from dataagent_core.permissions.rule import RuleSet
from dataagent_core.sandbox.masks import FindMasks, Mask
from dataagent_core.tools.running import running_call


def masks_of_runs(rules: RuleSet) -> FindMasks:
    """Cover what an agent's rules deny, and what its person has said elsewhere for good."""

    def find(workspace_fd: int) -> Sequence[Mask]:
        current = running_call()
        kept = current.scope.session_rules if current is not None else ()
        return find_denied(rules.with_kept(kept))(workspace_fd)

    return find
