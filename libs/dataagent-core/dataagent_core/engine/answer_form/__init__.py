"""Answers that are JSON documents valid against a schema the caller gave.

The schema comes with the message, in its context under `ANSWER_SCHEMA_KEY`, and is stored with it,
so a run that is resumed elsewhere still knows it. `schema.py` decides which schemas are accepted;
`form.py` writes the instructions, finds the document in the answer and has `checker.py` check it in
a process of its own. The executor asks the model again.
"""

from dataagent_core.engine.answer_form.form import AnswerForm, AnswerProblems
from dataagent_core.engine.answer_form.schema import (
    ANSWER_SCHEMA_KEY,
    check_answer_schema,
    read_answer_schema,
)

__all__ = [
    "ANSWER_SCHEMA_KEY",
    "AnswerForm",
    "AnswerProblems",
    "check_answer_schema",
    "read_answer_schema",
]
