"""The workflows of patterns: shown, compiled, stored and deleted by who may change the pattern.

Core compiles and reads them (`dataagent_core.patterns.workflow`). Their files hold values of runs,
so nobody else sees or follows one, though the pattern itself may be everybody's to use.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError, ValidationError
from dataagent_core.ids import checked_id
from dataagent_core.patterns import InteractionPattern, PatternLibrary
from dataagent_core.patterns.workflow.compile_pattern import (
    CompiledWorkflow,
    compare_file,
    compile_pattern,
)
from dataagent_core.patterns.workflow.fill_workflow import check_inputs, fill_text
from dataagent_core.patterns.workflow.workflow import Workflow
from dataagent_core.patterns.workflow.workflow_record import (
    WorkflowRecord,
    read_record,
    with_text,
    without_record,
)
from dataagent_core.session.stores.bundle import Stores
from dataagent_server.agents.patterns import pattern_rows
from dataagent_server.agents.patterns.pattern_service import PatternService
from dataagent_server.agents.patterns.workflow_runs import (
    WorkflowRights,
    has_enough_runs,
    with_usable_runs,
)
from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth import Action, Principal
from dataagent_server.identity.users.user_rows import learns_patterns

# What a message says of its workflow.
_OF_WORKFLOW: Final = frozenset({"workflow", "workflow_owner", "inputs"})


@dataclass(frozen=True, slots=True)
class StoredWorkflow:
    """The workflow of a pattern."""

    pattern: InteractionPattern
    record: WorkflowRecord
    workflow: Workflow


@dataclass(frozen=True, slots=True)
class ComparedWorkflow:
    """A file that is not stored, and the pattern that it was compared with."""

    pattern: InteractionPattern
    compiled: CompiledWorkflow


@dataclass(frozen=True, slots=True)
class FilledMessage:
    """What a message says of its planning, and the goal of the workflow that it follows."""

    planning: dict[str, Any]
    goal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowService:
    """The workflows of patterns of the principal's own tenant."""

    patterns: PatternService
    stores_of: Callable[[TenantId], Stores]
    # Whether the operator lets patterns be used.
    is_enabled: bool

    async def get(
        self, principal: Principal, pattern_id: str, action: Action = "workflow.read"
    ) -> StoredWorkflow:
        """Return the workflow of a pattern."""
        pattern, record = await self._find(principal, pattern_id, action)
        return StoredWorkflow(pattern, record, await asyncio.to_thread(record.read))

    async def list_rights(
        self, principal: Principal, patterns: Sequence[InteractionPattern]
    ) -> Mapping[str, WorkflowRights]:
        """Say of each pattern what the principal may do with its workflow."""
        changeable = {
            one.id for one in patterns if self.patterns.may(principal, "pattern.change", one)
        }
        usable = await self._list_usable(principal, [p for p in patterns if p.id in changeable])
        compilable = {one.id for one in usable if has_enough_runs(one)}
        return {
            one.id: WorkflowRights(
                may_read=self.patterns.may(principal, "workflow.read", one),
                may_change=one.id in changeable,
                can_compile=one.id in compilable,
            )
            for one in patterns
        }

    async def compile(self, principal: Principal, pattern_id: str) -> ComparedWorkflow:
        """Compile the workflow of a pattern from its runs, without storing it."""
        pattern = await self.patterns.get(principal, pattern_id, "pattern.change")
        (usable,) = await self._list_usable(principal, [pattern])
        try:
            compiled = await compile_pattern(usable, self.stores_of(principal.tenant_id))
        except ValidationError as error:
            left_out = len(pattern.recent_runs) - len(usable.recent_runs)
            if not left_out:
                raise
            raise ValidationError(
                f"{error} {left_out} runs of other people, or of deleted sessions, do not count."
            ) from error
        return ComparedWorkflow(pattern, compiled)

    async def check(self, principal: Principal, pattern_id: str, text: str) -> ComparedWorkflow:
        """Read a file strictly, and compare it with the stored one, without storing it."""
        pattern = await self.patterns.get(principal, pattern_id, "pattern.change")
        return ComparedWorkflow(pattern, await asyncio.to_thread(compare_file, pattern, text))

    async def store(
        self, principal: Principal, pattern_id: str, text: str, *, version: int
    ) -> StoredWorkflow:
        """Store a file, if nobody has changed the pattern since that version was looked at."""
        known = await self.patterns.get(principal, pattern_id, "pattern.change")
        changed = await asyncio.to_thread(with_text, known, text)
        if known.version != version:
            raise ConflictError(
                f"The pattern {pattern_id} was changed meanwhile: it has version {known.version}, "
                f"and yours is of version {version}. Read it again and repeat your change."
            )
        if changed != known:
            writes = self.patterns.open_writes(principal, "workflow.store", known)
            await writes.save(replace(changed, updated_at=self.patterns.clock()))
        return await self.get(principal, pattern_id)

    async def delete(self, principal: Principal, pattern_id: str) -> None:
        """Delete the workflow of a pattern, which stays; also one that cannot be read."""
        known, _ = await self._find(principal, pattern_id, "pattern.delete")
        writes = self.patterns.open_writes(principal, "workflow.delete", known)
        library = PatternLibrary(writes, principal.tenant_id, clock=self.patterns.clock)
        await library.update(pattern_id, without_record)

    async def fill(self, principal: Principal, planning: Mapping[str, Any]) -> FilledMessage:
        """Return how a message is planned; refuse a workflow that is not theirs, or wrong inputs.

        Every message is checked by this, however it comes.
        """
        if planning.get("workflow") is None:
            if planning.get("inputs"):
                raise ValidationError("planning.inputs: name the workflow that they are for.")
            left = {name: value for name, value in planning.items() if name not in _OF_WORKFLOW}
            return FilledMessage(left)
        await self._require_wanted(principal)
        pattern_id = checked_id(planning["workflow"], "pattern id")
        stored = await self.get(principal, pattern_id, "pattern.change")
        inputs = check_inputs(stored.workflow, planning.get("inputs") or {})
        goal = fill_text(stored.workflow.goal, inputs)
        if "\x00" in goal:
            # As in every message.
            raise ValidationError("The goal of the workflow holds the character NUL: take it out.")
        owner = {"workflow_owner": stored.pattern.user_id}
        return FilledMessage({**planning, **owner, "inputs": inputs}, goal)

    async def _find(
        self, principal: Principal, pattern_id: str, action: Action
    ) -> tuple[InteractionPattern, WorkflowRecord]:
        pattern = await self.patterns.get(principal, pattern_id, action)
        record = read_record(pattern)
        if record is None:
            raise NotFoundError(f"The pattern {pattern_id} has no workflow: compile one.")
        return pattern, record

    async def _require_wanted(self, principal: Principal) -> None:
        if not self.is_enabled:
            raise DeniedError("Patterns are switched off here, so no workflow can be run.")
        database = self.patterns.database
        if not await database.read(lambda c: learns_patterns(c, principal.user_id)):
            raise ConflictError(
                "You have switched patterns off (learns_patterns), so your runs follow no "
                "workflow. Switch them on first."
            )

    async def _list_usable(
        self, principal: Principal, patterns: Sequence[InteractionPattern]
    ) -> list[InteractionPattern]:
        """Return patterns with the runs that the principal may compile."""
        ids = {run.run_id for one in patterns for run in one.recent_runs}
        found = await self.patterns.database.read(
            lambda c: pattern_rows.find_runs(c, principal.tenant_id, principal.user_id, ids)
        )
        return [with_usable_runs(principal, one, found) for one in patterns]
