"""A pattern as a row, and back."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from pydantic import TypeAdapter

from dataagent_core.patterns.interaction_pattern import (
    DecisionPreference,
    InteractionPattern,
    LearnedRun,
    PatternStep,
    SuccessFactors,
    ToolChain,
)
from dataagent_core.patterns.sql.pattern_tables import INTERACTION_PATTERNS
from dataagent_core.session.stores.sql.dialect import SqlDialect, read_moment

COLUMNS: Final = tuple(INTERACTION_PATTERNS.columns)
_STEPS: Final = TypeAdapter(tuple[PatternStep, ...])
_CHAINS: Final = TypeAdapter(tuple[ToolChain, ...])
_FACTORS: Final = TypeAdapter(SuccessFactors)
_PREFERENCES: Final = TypeAdapter(tuple[DecisionPreference, ...])
_RUNS: Final = TypeAdapter(tuple[LearnedRun, ...])


def make_row(pattern: InteractionPattern, dialect: SqlDialect) -> list[object]:
    """Return the values of a pattern in the order of the columns."""

    def moment(value: datetime | None) -> object:
        return None if value is None else dialect.moment(value)

    details = {
        "entities": pattern.entities,
        "success_factors": _FACTORS.dump_python(pattern.success_factors, mode="json"),
        "decision_preferences": _PREFERENCES.dump_python(pattern.decision_preferences, mode="json"),
        "corrections": pattern.corrections,
        "recent_runs": _RUNS.dump_python(pattern.recent_runs, mode="json"),
        "metadata": dict(pattern.metadata),
    }
    values: dict[str, object] = {
        "tenant_id": pattern.tenant_id,
        "id": pattern.id,
        "pattern_signature": pattern.signature,
        "name": pattern.name,
        "description": pattern.description,
        "steps": json.dumps(_STEPS.dump_python(pattern.steps, mode="json")),
        "tool_compositions": json.dumps(_CHAINS.dump_python(pattern.tool_chains, mode="json")),
        "success_count": pattern.success_count,
        "failure_count": pattern.failure_count,
        "avg_execution_time_ms": pattern.avg_execution_time_ms,
        "usage_count": pattern.usage_count,
        "created_at": moment(pattern.created_at),
        "updated_at": moment(pattern.updated_at),
        "user_id": pattern.user_id,
        "state": pattern.state,
        "consecutive_failures": pattern.consecutive_failures,
        "last_used_at": moment(pattern.last_used_at),
        "last_queried_at": moment(pattern.last_queried_at),
        "details": json.dumps(details),
        "version": pattern.version,
    }
    return [values[name] for name in COLUMNS]


def read_row(row: Sequence[Any]) -> InteractionPattern:
    """Return the pattern of a row."""
    values = dict(zip(COLUMNS, row, strict=True))
    details = json.loads(values["details"])

    def moment(name: str) -> datetime | None:
        return None if values[name] is None else read_moment(values[name])

    return InteractionPattern(
        id=values["id"],
        tenant_id=values["tenant_id"],
        name=values["name"],
        description=values["description"],
        signature=values["pattern_signature"],
        entities=tuple(details["entities"]),
        steps=_STEPS.validate_python(json.loads(values["steps"])),
        tool_chains=_CHAINS.validate_python(json.loads(values["tool_compositions"])),
        success_factors=_FACTORS.validate_python(details["success_factors"]),
        decision_preferences=_PREFERENCES.validate_python(details["decision_preferences"]),
        corrections=tuple(details["corrections"]),
        usage_count=values["usage_count"],
        success_count=values["success_count"],
        failure_count=values["failure_count"],
        consecutive_failures=values["consecutive_failures"],
        avg_execution_time_ms=values["avg_execution_time_ms"],
        user_id=values["user_id"],
        state=values["state"],
        created_at=read_moment(values["created_at"]),
        updated_at=read_moment(values["updated_at"]),
        last_used_at=moment("last_used_at"),
        last_queried_at=moment("last_queried_at"),
        recent_runs=_RUNS.validate_python(details["recent_runs"]),
        metadata=details["metadata"],
        version=values["version"],
    )
