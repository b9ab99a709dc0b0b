"""Finds the JSON object in a model's answer, which may be written around it. Pure."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


def find_object(answer: str) -> Mapping[str, Any] | None:
    """Return the object from the first brace to the last one; None if that is none."""
    found = _OBJECT.search(answer)
    if found is None:
        return None
    try:
        value = json.loads(found[0])
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else None
