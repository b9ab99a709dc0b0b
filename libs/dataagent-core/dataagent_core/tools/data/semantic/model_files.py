"""Reads a project's semantic files as one model; an error names the file and the location."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError as PydanticError

from dataagent_core.config.files.yaml_file import read_yaml
from dataagent_core.config.limits.data import SEMANTIC_FILE_BYTES_MAX, SEMANTIC_FILES_MAX
from dataagent_core.errors import (
    ConfigurationError,
    DataAgentError,
    DeniedError,
    NotFoundError,
    ValidationError,
)
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.semantic.semantic_model import SemanticModel

SEMANTIC_FOLDER = "/.dataagent/semantic"
_ENDINGS = (".yml", ".yaml")
_KEYS = ("datasets", "relations", "metrics", "questions")


def load_model(folder: Path) -> SemanticModel:
    """Read `*.yml` and `*.yaml` of a folder; without any, the model is empty."""
    files = sorted([*folder.glob("*.yml"), *folder.glob("*.yaml")])
    return _load_files(str(folder), [str(file) for file in files], _read_file)


def load_model_beneath(root: SafeRoot, folder: str = SEMANTIC_FOLDER) -> SemanticModel:
    """Read the model of a workspace; no link may lead out of it. It blocks."""
    try:
        entries = root.list_dir(folder)
    except (NotFoundError, DeniedError):  # in a home folder it is our own, closed folder
        return SemanticModel()
    except DataAgentError as error:
        raise ConfigurationError(f"The semantic files cannot be read: {error}") from None
    paths = [f"{folder}/{entry.name}" for entry in entries if entry.name.endswith(_ENDINGS)]

    def read_workspace_file(path: str) -> str:
        try:
            return root.read_bytes(path, SEMANTIC_FILE_BYTES_MAX).decode("utf-8-sig")
        except (DataAgentError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{path} cannot be read: {error}") from None

    return _load_files(folder, paths, read_workspace_file)


def parse_model(text: str, name: str) -> SemanticModel:
    """Read one document; `name` is what errors call it."""
    return _make_model(_parse_parts(text, name), name)


def _make_model(parts: dict[str, list[Any]], name: str) -> SemanticModel:
    try:
        return SemanticModel.model_validate(parts)
    except PydanticError as error:
        raise ConfigurationError(_describe_error(name, error)) from None


def _load_files(
    folder: str, files: Sequence[str], read_text: Callable[[str], str]
) -> SemanticModel:
    if len(files) > SEMANTIC_FILES_MAX:
        raise ConfigurationError(
            f"{folder} holds {len(files)} semantic files, {SEMANTIC_FILES_MAX} are read: join some."
        )
    merged: dict[str, list[Any]] = {key: [] for key in _KEYS}
    for file in files:
        for key, values in _parse_parts(read_text(file), file).items():
            merged[key] += values
    return _make_model(merged, f"The semantic files of {folder}")


def _read_file(file: str) -> str:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(SEMANTIC_FILE_BYTES_MAX + 1).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} cannot be read: {error}") from None


def _parse_parts(text: str, name: str) -> dict[str, list[Any]]:
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


def _describe_error(name: str, error: PydanticError) -> str:
    first = error.errors()[0]
    location = ".".join(str(part) for part in first["loc"])
    return f"{name} cannot be used: {location}: {first['msg']}."
