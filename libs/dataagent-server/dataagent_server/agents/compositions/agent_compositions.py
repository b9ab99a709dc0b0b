"""The compositions an agent gets, and the store in which its executions are counted."""

from dataclasses import dataclass, replace
from typing import Final

from dataagent_core.tools.composition import ToolComposition
from dataagent_core.tools.composition.composition_store import CompositionExecution
from dataagent_server.agents.compositions import composition_rows
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database

# Below this many executions each one is shown.
_EXACT_MAX: Final = 9
_STEPS: Final = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class TenantCompositions:
    """The compositions of one tenant. Implements core's `CompositionStore`."""

    database: Database
    tenant_id: TenantId

    async def list_usable(self, project_id: str | None) -> list[ToolComposition]:
        """List the tenant's compositions and, with a project, the project's; of a name its."""
        found = await self.database.read(
            lambda c: composition_rows.list_usable(c, self.tenant_id, project_id)
        )
        return [round_counts(one.composition) for one in found]

    async def add(self, execution: CompositionExecution) -> tuple[int, int]:
        """Count one more execution; return all successes and failures."""
        return await self.database.write(
            lambda c: composition_rows.count_execution(c, self.tenant_id, execution)
        )


def round_counts(composition: ToolComposition) -> ToolComposition:
    """Round the counts down: a new agent for each execution would lose what the old one holds.

    The rate is in tenths, rounded down, so that it stays on its side of any tenth.
    """
    executions = composition.success_count + composition.failure_count
    if executions <= _EXACT_MAX:
        return composition
    power = 10 ** (len(str(executions)) - 1)
    shown = max(step * power for step in _STEPS if step * power <= executions)
    successes = composition.success_count * 10 // executions * shown // 10
    return replace(composition, success_count=successes, failure_count=shown - successes)
