"""Reads the file of `--schema` within a limit, and refuses an invalid schema."""

from pathlib import Path
from typing import Any

from dataagent_cli.messages import Messages
from dataagent_core.errors import ValidationError


def read_schema(path: Path | None, say: Messages) -> dict[str, Any] | None:
    """Return the schema of the answer, if a file is given."""
    if path is None:
        return None
    from dataagent_core.config.limits.answers import ANSWER_SCHEMA_BYTES_MAX
    from dataagent_core.engine.answer_form import read_answer_schema

    try:
        with path.open("rb") as file:
            data = file.read(ANSWER_SCHEMA_BYTES_MAX + 1)
    except OSError as error:
        problem = error.strerror or str(error)
        raise ValidationError(say("schema_unreadable", path=str(path), problem=problem)) from error
    return read_answer_schema(data, str(path))
