"""A composition as its row holds it, and the changes of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import RowMapping

from dataagent_core.tools.composition import ToolComposition

COMPOSITIONS_PER_TENANT_MAX: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionRecord:
    """One row: what core runs, whose it is, and how it went so far."""

    composition: ToolComposition
    # Empty: the tenant's.
    project_id: str
    # Of all executions; the counts of `composition` begin anew when it calls other tools.
    usage_count: int
    created_by: str
    # Of its definition: counting does not change it.
    number: int
    created_at: datetime
    updated_at: datetime

    @property
    def success_rate(self) -> float | None:
        """The share of executions that succeeded since it calls what it does; None before one."""
        one = self.composition
        executions = one.success_count + one.failure_count
        return one.success_count / executions if executions else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionChanges:
    """The changes of a composition; None keeps the stored value, or the default of a new one."""

    name: str | None = None
    description: str | None = None
    tools: tuple[str, ...] | None = None
    execution_template: Mapping[str, Any] | None = None
    fallback_alternatives: Mapping[str, list[str]] | None = None

    def given(self) -> dict[str, Any]:
        """Return what is not left out, by the names of the columns."""
        values = {
            "name": self.name,
            "description": self.description,
            "tools": self.tools,
            "execution_template": self.execution_template,
            "fallback_alternatives": self.fallback_alternatives,
        }
        return {name: value for name, value in values.items() if value is not None}


def read_record(row: RowMapping) -> CompositionRecord:
    """Read a row."""
    return CompositionRecord(
        composition=ToolComposition(
            id=row["id"],
            name=row["name"],
            description=row["description"],
            tools=tuple(row["tools"]),
            execution_template=row["execution_template"],
            fallback_alternatives=row["fallback_alternatives"],
            success_count=row["success_count"],
            failure_count=row["failure_count"],
        ),
        project_id=row["project_id"],
        usage_count=row["usage_count"],
        created_by=row["created_by"],
        number=row["number"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
