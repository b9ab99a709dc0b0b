"""Counts an execution of a composition in its store; a store that fails never fails the call."""

import logging
import time
from dataclasses import dataclass, field, replace

from langchain_core.messages import ToolMessage

from dataagent_core.errors import StorageError
from dataagent_core.tools.composition.composition_result import CompositionResult
from dataagent_core.tools.composition.composition_store import (
    CompositionExecution,
    CompositionStore,
    MemberMeasure,
)

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class ExecutionCounter:
    """Collects what the members of one execution took, then counts it."""

    # None: each execution counts from what its composition had.
    store: CompositionStore | None
    _measures: list[MemberMeasure] = field(default_factory=list[MemberMeasure])

    def measure(self, message: ToolMessage, tool: str, began: float) -> None:
        """Note that a member ended now; `began` is of `time.perf_counter`."""
        self._measures.append(
            MemberMeasure(
                tool=tool,
                succeeded=message.status != "error",
                duration_ms=round((time.perf_counter() - began) * 1000),
            )
        )

    async def count(self, result: CompositionResult) -> CompositionResult:
        """Return the result with the counts of all executions."""
        if self.store is None:
            return result
        execution = CompositionExecution(
            composition_id=result.composition.id,
            digest=result.composition.digest,
            succeeded=result.succeeded,
            members=tuple(self._measures),
        )
        try:
            successes, failures = await self.store.add(execution)
        except StorageError:
            logger.exception("an execution of %s was not counted", result.composition.name)
            return result
        counted = replace(result.composition, success_count=successes, failure_count=failures)
        return replace(result, composition=counted)
