"""What a model is told about the form of its answer: once at first, then after each that is wrong.

Pure. The words go with the person's message, not into the system prompt: they hold for this one
message, and what stands before it stays as it was for the provider's cache.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

_FORM = """\
{message}

<answer_format>
Whatever you do on the way, your final answer to this message must be one JSON document that is
valid against the JSON Schema below: the document alone, no words before or after it. It is checked
by a program.

{schema}
</answer_format>"""

_AGAIN = """\
Your final answer does not have the form that was asked for:
{problems}

Answer again: the whole JSON document, corrected, and nothing else."""


def with_form(message: str, schema: Mapping[str, Any]) -> str:
    """Say to the message which form its answer must have."""
    return _FORM.format(message=message, schema=json.dumps(schema, ensure_ascii=False))


def asking_again(problems: Sequence[str]) -> str:
    """Say what was wrong with an answer."""
    return _AGAIN.format(problems="\n".join(f"- {problem}" for problem in problems))
