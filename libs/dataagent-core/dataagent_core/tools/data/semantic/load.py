"""Reads a project's semantic files as one model; an error names the file and the place in it."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError as PydanticError

from dataagent_core.config.data_limits import SEMANTIC_FILE_BYTES_MAX, SEMANTIC_FILES_MAX
from dataagent_core.errors import ConfigurationError, ValidationError
from dataagent_core.tools.data.semantic.model import SemanticModel
from dataagent_core.tools.data.yaml_reading import read_yaml

_KEYS = ("datasets", "relations", "metrics", "questions")


def load_model(folder: Path) -> SemanticModel:
    """Read `*.yml` and `*.yaml` of a folder; without any, the model is empty."""
    files = sorted([*folder.glob("*.yml"), *folder.glob("*.yaml")])
    if len(files) > SEMANTIC_FILES_MAX:
        raise ConfigurationError(
            f"{folder} holds {len(files)} semantic files, {SEMANTIC_FILES_MAX} are read: join some."
        )
    merged: dict[str, list[Any]] = {key: [] for key in _KEYS}
    for file in files:
        for key, values in _read(file).items():
            merged[key] += values
    return _model(merged, f"The semantic files of {folder}")


def parse_model(text: str, name: str) -> SemanticModel:
    """Read one document; `name` is what errors call it."""
    return _model(_parts(text, name), name)


def _model(parts: dict[str, list[Any]], name: str) -> SemanticModel:
    try:
        return SemanticModel.model_validate(parts)
    except PydanticError as error:
        raise ConfigurationError(_sentence(name, error)) from None


def _read(file: Path) -> dict[str, list[Any]]:
    try:
        with file.open("rb") as stream:
            text = stream.read(SEMANTIC_FILE_BYTES_MAX + 1).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} cannot be read: {error}") from None
    return _parts(text, str(file))


def _parts(text: str, name: str) -> dict[str, list[Any]]:
    try:
        content = read_yaml(text, name, SEMANTIC_FILE_BYTES_MAX)
    except ValidationError as error:
        raise ConfigurationError(str(error)) from None
    if content is not None and not isinstance(content, dict):
        raise ConfigurationError(f"{name} must hold {', '.join(_KEYS)}, each a list.")
    parts: dict[str, Any] = content or {}
    for key, values in parts.items():
        if key not in _KEYS or not isinstance(values, list):
            raise ConfigurationError(
                f"{name}: {key!r} is not one of {', '.join(_KEYS)}, or not a list."
            )
    return parts


def _sentence(name: str, error: PydanticError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{name} cannot be used: {place}: {first['msg']}."
