"""Reads a project's semantic files as one model; an error names the file and the place in it."""

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

# In a project, and so in a workspace.
SEMANTIC_FOLDER = "/.dataagent/semantic"
_ENDINGS = (".yml", ".yaml")
_KEYS = ("datasets", "relations", "metrics", "questions")


def load_model(folder: Path) -> SemanticModel:
    """Read `*.yml` and `*.yaml` of a folder; without any, the model is empty."""
    files = sorted([*folder.glob("*.yml"), *folder.glob("*.yaml")])
    return _loaded(str(folder), [str(file) for file in files], _text)


def load_model_beneath(root: SafeRoot, folder: str = SEMANTIC_FOLDER) -> SemanticModel:
    """Read a workspace's own, out of which no link may lead. It blocks."""
    try:
        entries = root.list_dir(folder)
    except (NotFoundError, DeniedError):  # in a home folder it is ours, which is closed
        return SemanticModel()
    except DataAgentError as error:
        raise ConfigurationError(f"The semantic files cannot be read: {error}") from None
    named = [f"{folder}/{entry.name}" for entry in entries if entry.name.endswith(_ENDINGS)]

    def text(path: str) -> str:
        try:
            return root.read_bytes(path, SEMANTIC_FILE_BYTES_MAX).decode("utf-8-sig")
        except (DataAgentError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{path} cannot be read: {error}") from None

    return _loaded(folder, named, text)


def parse_model(text: str, name: str) -> SemanticModel:
    """Read one document; `name` is what errors call it."""
    return _model(_parts(text, name), name)


def _model(parts: dict[str, list[Any]], name: str) -> SemanticModel:
    try:
        return SemanticModel.model_validate(parts)
    except PydanticError as error:
        raise ConfigurationError(_sentence(name, error)) from None


def _loaded(folder: str, files: Sequence[str], text_of: Callable[[str], str]) -> SemanticModel:
    if len(files) > SEMANTIC_FILES_MAX:
        raise ConfigurationError(
            f"{folder} holds {len(files)} semantic files, {SEMANTIC_FILES_MAX} are read: join some."
        )
    merged: dict[str, list[Any]] = {key: [] for key in _KEYS}
    for file in files:
        for key, values in _parts(text_of(file), file).items():
            merged[key] += values
    return _model(merged, f"The semantic files of {folder}")


def _text(file: str) -> str:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(SEMANTIC_FILE_BYTES_MAX + 1).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} cannot be read: {error}") from None


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
