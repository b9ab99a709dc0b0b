"""JSON of a person's own that a request may carry: only what every answer can give back."""

import json
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from dataagent_server.api.models.data.charts import ChartAsked
from dataagent_server.api.models.data.questions import DataQuestionChange
from dataagent_server.api.models.sessions.session import SessionCreate, SessionUpdate
from dataagent_server.api.models.skills.compositions import ToolCompositionChange
from dataagent_server.api.models.workspaces import WorkspaceUpdate

FIELDS: list[tuple[type[BaseModel], str]] = [
    (ToolCompositionChange, "execution_template"),
    (ChartAsked, "spec"),
    (DataQuestionChange, "chart"),
    (SessionCreate, "metadata"),
    (SessionUpdate, "metadata"),
    (WorkspaceUpdate, "settings"),
]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (r'{"x": ["a\ud800"]}', "half a character"),
        (r'{"x": {"\udfff": 1}}', "half a character"),
        ('{"x": NaN}', "no number in JSON"),
        ('{"x": [-Infinity]}', "no number in JSON"),
        (f'{{"x": {"[" * 64}{"]" * 64}}}', "more than 64 deep"),
    ],
)
def test_what_no_answer_can_hold_is_refused(written: str, words: str):
    value = json.loads(written)
    for model, field in FIELDS:
        with pytest.raises(ValidationError, match=words):
            model.model_validate({field: value})


def test_anything_else_is_taken_as_it_is():
    value: dict[str, Any] = {"x": [1, 1.5, None, True, "\0 \U0001f600"], "y": {"": {}}}
    value["deep"] = json.loads(f"{'[' * 63}{']' * 63}")
    for model, field in FIELDS:
        assert getattr(model.model_validate({field: value}), field) == value
