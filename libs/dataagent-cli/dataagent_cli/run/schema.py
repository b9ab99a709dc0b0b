"""Reading the file of `--schema`, bounded, and refusing what no answer can be held to."""

from pathlib import Path
from typing import Any

from dataagent_cli.messages import Messages
from dataagent_core.errors import ValidationError


def answer_form(path: Path | None, say: Messages) -> dict[str, Any]:
    """Return what a message's context says of its answer's form: the schema of a file, if any."""
    if path is None:
        return {}
    from dataagent_core.config.answer_limits import ANSWER_SCHEMA_BYTES_MAX
    from dataagent_core.engine.answer_form import ANSWER_SCHEMA_KEY, read_answer_schema

    try:
        with path.open("rb") as file:
            data = file.read(ANSWER_SCHEMA_BYTES_MAX + 1)
    except OSError as error:
        problem = error.strerror or str(error)
        raise ValidationError(say("schema_unreadable", path=str(path), problem=problem)) from error
    return {ANSWER_SCHEMA_KEY: read_answer_schema(data, str(path))}
