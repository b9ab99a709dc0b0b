"""Checks the schema of a tool's arguments that a server sent, and adapts it for providers.

A server can send anything. A schema that no provider accepts, that cannot be checked or that
expands too far is refused with a sentence for the person; the tool is then left out.
"""

import json
import re
from typing import Any

from langchain_core.utils.json_schema import dereference_refs

from dataagent_core.config.limits.mcp import (
    MCP_PROPERTY_NAME_CHARS_MAX,
    MCP_SCHEMA_BYTES_MAX,
    MCP_SCHEMA_DEPTH_MAX,
    MCP_SCHEMA_EXPANDED_NODES_MAX,
    MCP_SCHEMA_PROPERTIES_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.mcp.tools.schema_walk import (
    Schema,
    all_schemas,
    depth_of,
    expanded_nodes,
    local_target,
)

_PROPERTY_NAME = re.compile(rf"[A-Za-z0-9_.-]{{1,{MCP_PROPERTY_NAME_CHARS_MAX}}}\Z")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
# Providers refuse these beside `properties` at the root, and accept them inside a property.
_NOT_AT_THE_ROOT = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "enum", "const", "if", "then", "else"}
)
_NOT_SHOWN = frozenset({"$schema", "$id", "$comment", "title", "examples"})


def arguments_schema(schema: object) -> dict[str, Any]:
    """Return the schema of a tool's arguments; `ValidationError` says why it is none."""
    checked = check_input_schema(schema)
    for one in all_schemas(checked):
        for name in _property_names(one):
            if not _PROPERTY_NAME.match(name):
                raise ValidationError(
                    f"not every provider takes an argument named {name!r:.100}; letters, digits, "
                    f"'_', '.' and '-' are possible, at most {MCP_PROPERTY_NAME_CHARS_MAX}"
                )
    return checked


def check_input_schema(schema: object) -> dict[str, Any]:
    """Return a server's schema of an object; `ValidationError` says why it is none."""
    if not isinstance(schema, dict):
        raise ValidationError(f"its schema is {schema!r:.50}, not an object")
    _check_size(schema)
    kind = schema.get("type", "object")
    if kind != "object":
        raise ValidationError(f"its schema is for {kind!r:.50}, and arguments are an object")
    checked: dict[str, Any] = {**schema, "type": "object"}
    checked.setdefault("properties", {})
    _check_keywords(checked)
    _check_references(checked)
    count = sum(len(_property_names(one)) for one in all_schemas(checked))
    if count > MCP_SCHEMA_PROPERTIES_MAX:
        raise ValidationError(
            f"its schema has {count} properties, {MCP_SCHEMA_PROPERTIES_MAX} are possible"
        )
    return checked


def make_provider_schema(schema: Schema) -> dict[str, Any]:
    """Keep the keywords every provider accepts; arguments are checked against the whole schema."""
    hidden = _NOT_AT_THE_ROOT | _NOT_SHOWN
    return {keyword: value for keyword, value in schema.items() if keyword not in hidden}


def _check_size(schema: Schema) -> None:
    # Depth first: serializing a schema that is too deep would overflow the stack.
    if depth_of(schema, MCP_SCHEMA_DEPTH_MAX) > MCP_SCHEMA_DEPTH_MAX:
        raise ValidationError(f"its schema is nested deeper than {MCP_SCHEMA_DEPTH_MAX} levels")
    size_bytes = len(json.dumps(schema, default=str))
    if size_bytes > MCP_SCHEMA_BYTES_MAX:
        raise ValidationError(
            f"its schema has {size_bytes} bytes, {MCP_SCHEMA_BYTES_MAX} are possible"
        )


def _check_keywords(schema: dict[str, Any]) -> None:
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import Draft3Validator, Draft202012Validator, validator_for

    stated = schema.get("$schema", Draft202012Validator.META_SCHEMA["$id"])
    if not isinstance(stated, str):
        raise ValidationError(f"its schema's dialect is {stated!r:.50}, not an address")
    dialect = validator_for({"$schema": stated}, default=Draft3Validator)
    # The oldest draft stands for unknown dialects: they are accepted, and only what we use
    # ourselves is checked.
    if dialect is not Draft3Validator:
        try:
            dialect.check_schema(schema)
        except SchemaError as error:
            where = "/".join(map(str, error.absolute_path)) or "the root"
            raise ValidationError(
                f"its schema is wrong at {where:.100}: {error.message:.200}"
            ) from None
    if not isinstance(schema["properties"], dict):
        raise ValidationError(f"its properties are {schema['properties']!r:.50}, not an object")


def _check_references(schema: Schema) -> None:
    for one in all_schemas(schema):
        for keyword in _REFERENCES:
            reference = one.get(keyword)
            if reference is None:
                continue
            if not isinstance(reference, str) or not reference.startswith("#"):
                raise ValidationError(f"its schema refers to {reference!r:.100}, outside itself")
            if keyword != "$ref" or local_target(schema, reference) is None:
                raise ValidationError(f"its schema refers to {reference!r:.100}, which is nowhere")
    if expanded_nodes(schema, MCP_SCHEMA_EXPANDED_NODES_MAX) > MCP_SCHEMA_EXPANDED_NODES_MAX:
        raise ValidationError(
            f"its schema's references stand for more than {MCP_SCHEMA_EXPANDED_NODES_MAX} values"
        )
    try:
        dereference_refs(dict(schema))
    except (KeyError, TypeError, ValueError) as error:
        # A schema LangChain cannot expand would fail the model call with all its other tools.
        raise ValidationError(f"its schema's references cannot be followed: {error}") from error


def _property_names(schema: Schema) -> list[str]:
    properties = schema.get("properties")
    return list(properties) if isinstance(properties, dict) else []
