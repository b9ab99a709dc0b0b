"""Reads YAML into a model; errors are sentences for the author of the YAML."""

from typing import Any, TypeVar

import pydantic

from dataagent_core.config.files.yaml_file import read_yaml
from dataagent_core.config.limits import CONFIG_ERRORS_SHOWN_MAX
from dataagent_core.config.limits.data import REPORT_DEFINITION_BYTES_MAX
from dataagent_core.errors import ValidationError

Model = TypeVar("Model", bound=pydantic.BaseModel)


def read_model(kind: type[Model], text: str, what: str) -> Model:
    """Read a YAML (or JSON) document."""
    return check_model(kind, read_yaml(text, what, REPORT_DEFINITION_BYTES_MAX), what)


def check_model(kind: type[Model], value: Any, what: str) -> Model:
    """Validate a value as a model, or raise with what is wrong."""
    try:
        return kind.model_validate(value)
    except pydantic.ValidationError as error:
        problems = [
            f"{'.'.join(map(str, problem['loc'])) or 'the document'}: {problem['msg']}"
            for problem in error.errors(include_url=False)[:CONFIG_ERRORS_SHOWN_MAX]
        ]
        raise ValidationError(f"{what} cannot be used. {'; '.join(problems)}.") from error
