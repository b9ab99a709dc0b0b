"""Limits the size of a spec, before anything else is checked."""

import json
from collections.abc import Mapping
from typing import Any

from dataagent_core.config.limits.data import (
    CHART_SPEC_BYTES_MAX,
    CHART_SPEC_DEEP_MAX,
    CHART_SPEC_NODES_MAX,
)
from dataagent_core.errors import ValidationError


def check_size(given: Mapping[str, Any]) -> None:
    """Refuse what is not JSON, or too large."""
    try:
        size = len(json.dumps(given, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValidationError(f"The spec is no JSON ({error}). Send a Vega-Lite object.") from error
    if size > CHART_SPEC_BYTES_MAX:
        raise ValidationError(
            f"The spec has {size:,} bytes, {CHART_SPEC_BYTES_MAX:,} are possible. Leave data out: "
            "it comes from the result."
        )
    nodes, deep = _measure(given)
    if nodes > CHART_SPEC_NODES_MAX or deep > CHART_SPEC_DEEP_MAX:
        raise ValidationError(
            f"The spec has {nodes} values, {deep} deep; {CHART_SPEC_NODES_MAX} and "
            f"{CHART_SPEC_DEEP_MAX} are possible. Draw less in one chart."
        )


def _measure(value: Any) -> tuple[int, int]:
    nodes, deep = 0, 0
    layer = [value]
    while layer:
        nodes += len(layer)
        deep += 1
        below: list[Any] = []
        for item in layer:
            below.extend(item.values() if isinstance(item, dict) else ())
            below.extend(item if isinstance(item, list) else ())
        layer = below
    return nodes, deep
