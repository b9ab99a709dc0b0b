"""Checks arguments against a pydantic model, which also accepts what it can convert ("5" for 5)."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from dataagent_core.tools.definition.name_suggestions import suggest_names
from dataagent_core.tools.pipeline.arguments.value_text import render_path, render_value


def find_model_problems(model: Any, args: Mapping[str, Any]) -> list[str]:
    """List what the model refuses, and the fields it does not have."""
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        return []  # a pydantic v1 model: the tool checks its arguments itself
    problems = _unknown_fields(model, args)
    try:
        model.model_validate(dict(args))
    except ValidationError as error:
        problems += [_problem(detail) for detail in error.errors(include_url=False)]
    return problems


def _problem(detail: ErrorDetails) -> str:
    where = render_path(detail["loc"])
    if detail["type"] == "missing":
        return f"{where} is missing; it is required"
    return f"{where}: {_lower_first(detail['msg'])}; given was {render_value(detail['input'])}"


def _unknown_fields(model: type[BaseModel], args: Mapping[str, Any]) -> list[str]:
    # Pydantic drops them without a word, and a misspelled `timeout` would be no time-out.
    if model.model_config.get("extra") in {"allow", "forbid"}:
        return []
    known = {*model.model_fields, *(f.alias for f in model.model_fields.values() if f.alias)}
    return [
        f"`{name}` is not an argument of this tool. {suggest_names(name, known)}".rstrip()
        for name in args
        if name not in known
    ]


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
