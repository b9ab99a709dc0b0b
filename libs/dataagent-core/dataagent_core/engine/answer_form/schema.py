"""Validates the JSON Schema of an answer, which may come from anybody.

Draft 2020-12, or the dialect that the schema names. Nothing outside the schema is fetched.
"""

import json
from collections.abc import Mapping
from typing import Any

from dataagent_core.config.limits.answers import ANSWER_SCHEMA_BYTES_MAX, ANSWER_SCHEMA_DEPTH_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.mcp.tools.schema_walk import all_schemas, depth_of

ANSWER_SCHEMA_KEY = "answer_schema"

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


def read_answer_schema(data: bytes, name: str) -> dict[str, Any]:
    """Read a schema from the bytes of a file; `name` is for errors."""
    if len(data) > ANSWER_SCHEMA_BYTES_MAX:
        raise ValidationError(
            f"the schema {name} is larger than {ANSWER_SCHEMA_BYTES_MAX:,} bytes. Leave out what "
            "the answer does not need."
        )
    try:
        schema = json.loads(data)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ValidationError(f"the schema {name} is not JSON: {why}.") from None
    return check_answer_schema(schema)


def check_answer_schema(schema: object) -> dict[str, Any]:
    """Return the schema, or raise if it cannot be used."""
    if not isinstance(schema, dict):
        raise ValidationError(
            f"the answer's schema is {schema!r:.50}, not an object. Write it as in "
            '{"type": "object", "properties": {...}}.'
        )
    checked: dict[str, Any] = schema
    # Depth first: writing a deeply nested schema would overflow the stack.
    if depth_of(checked, ANSWER_SCHEMA_DEPTH_MAX) > ANSWER_SCHEMA_DEPTH_MAX:
        raise ValidationError(
            f"the answer's schema is nested deeper than {ANSWER_SCHEMA_DEPTH_MAX} levels. Put "
            "parts of it under $defs and refer to them."
        )
    size_bytes = len(json.dumps(checked, default=str).encode())
    if size_bytes > ANSWER_SCHEMA_BYTES_MAX:
        raise ValidationError(
            f"the answer's schema has {size_bytes:,} bytes, {ANSWER_SCHEMA_BYTES_MAX:,} are "
            "possible. Leave out what the answer does not need."
        )
    _check_dialect(checked)
    _check_references(checked)
    return checked


def _check_dialect(schema: dict[str, Any]) -> None:
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import Draft3Validator, Draft202012Validator, validator_for

    stated = schema.get("$schema", Draft202012Validator.META_SCHEMA["$id"])
    # The oldest dialect is not supported and stands for unknown ones.
    dialect = (
        validator_for({"$schema": stated}, default=Draft3Validator)
        if isinstance(stated, str)
        else Draft3Validator
    )
    if dialect is Draft3Validator:
        raise ValidationError(
            f"the answer's schema names a dialect nobody here knows: {stated!r:.100}. Leave "
            "$schema out for Draft 2020-12."
        )
    try:
        dialect.check_schema(schema)
    except SchemaError as error:
        raise ValidationError(
            f"the answer's schema is wrong at {error.json_path:.100}: {error.message:.200}"
        ) from None


def _check_references(schema: Mapping[str, Any]) -> None:
    for one in all_schemas(schema):
        for keyword in _REFERENCES:
            reference = one.get(keyword)
            if reference is not None and not str(reference).startswith("#"):
                raise ValidationError(
                    f"the answer's schema refers to {reference!r:.100}, outside itself; nothing "
                    "is fetched. Copy what it needs under $defs."
                )
