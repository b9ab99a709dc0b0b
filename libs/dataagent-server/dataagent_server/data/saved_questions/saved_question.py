"""A saved question as it is shown, and the changes of one."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from dataagent_core.config.limits.data import CHART_SPEC_BYTES_MAX
from dataagent_core.errors import ValidationError

QUESTIONS_PER_TENANT_MAX: Final = 10_000


@dataclass(frozen=True, slots=True)
class SavedQuestion:
    """A named question. Without a project only its owner sees it."""

    question_id: str
    project_id: str | None
    owner_id: str
    name: str
    source: str
    sql: str
    chart: Mapping[str, Any] | None
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionChanges:
    """The changes of a question; None keeps the stored value, `no_chart` removes its chart."""

    name: str | None = None
    source: str | None = None
    sql: str | None = None
    chart: Mapping[str, Any] | None = None
    no_chart: bool = False


def validate_chart(chart: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a chart's spec if it is small enough; it is validated when it is drawn."""
    try:
        size_bytes = len(json.dumps(chart, allow_nan=False))
    except (ValueError, RecursionError) as error:
        raise ValidationError(f"The chart cannot be kept: {error}.") from None
    if size_bytes > CHART_SPEC_BYTES_MAX:
        raise ValidationError(
            f"The chart has {size_bytes:,} bytes, {CHART_SPEC_BYTES_MAX:,} are possible. Save the "
            "spec without its data."
        )
    return chart
