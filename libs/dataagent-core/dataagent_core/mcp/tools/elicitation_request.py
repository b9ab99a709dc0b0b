"""A server's question as a human request (`elicitation` in the log), and the form it fills. Pure.

The request tells the reader that the text is the server's. A person may answer it (`answer`),
decline (`skip`), leave it and tell the agent why (`respond`), or end the run (`reject`).

The fields of a form are flat: texts, numbers, booleans, choices. A client may send the object, its
JSON as text, or, for a single field, just its value; texts become numbers where numbers are wanted.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from dataagent_core.config.limits import QUESTION_CHARS_MAX, QUESTION_OPTIONS_MAX
from dataagent_core.config.limits.mcp import MCP_QUESTION_FIELDS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.hitl import ActionRequest, hash_of_args
from dataagent_core.mcp.ports import Elicitation
from dataagent_core.mcp.tools.clean_text import clean_text, in_one_line
from dataagent_core.mcp.tools.input_schema import check_input_schema
from dataagent_core.tools.pipeline.arguments import find_schema_problems

_YES: Final = frozenset({"true", "yes", "y", "1", "是"})
_NO: Final = frozenset({"false", "no", "n", "0", "否"})


def check_form(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form's schema; `ValidationError` says why no person can fill it in."""
    form = check_input_schema(dict(schema))
    fields = form["properties"]
    if len(fields) > MCP_QUESTION_FIELDS_MAX:
        raise ValidationError(
            f"the server asks for {len(fields)} fields, {MCP_QUESTION_FIELDS_MAX} are possible."
        )
    # An answer holds these fields and no other.
    kept = {"type": "object", "properties": fields, "additionalProperties": False}
    return {**kept, **({"required": form["required"]} if "required" in form else {})}


def choices_of(field: Any) -> dict[str, Any]:
    """Return a field's choices by their labels."""
    if not isinstance(field, Mapping):
        return {}
    titled = field.get("oneOf") or field.get("anyOf")
    if isinstance(titled, list):
        pairs = [(one.get("title", one.get("const")), one.get("const")) for one in titled
                 if isinstance(one, Mapping) and "const" in one]  # fmt: skip
        return {str(label): value for label, value in pairs}
    values, names = field.get("enum"), field.get("enumNames")
    if not isinstance(values, list):
        return {}
    labels = names if isinstance(names, list) and len(names) == len(values) else values
    return {str(label): value for label, value in zip(labels, values, strict=True)}


def fill_form(schema: Mapping[str, Any], answer: Any) -> dict[str, Any]:
    """Return the fields of an answer; `ValidationError` says what is wrong."""
    fields: Mapping[str, Any] = schema["properties"]
    given = _read_object(answer, fields)
    content = {name: _convert_value(value, fields.get(name)) for name, value in given.items()}
    problems = find_schema_problems(schema, content)
    if problems:
        raise ValidationError("; ".join(problems[:3]) + ".")
    return content


def _read_object(answer: Any, fields: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(answer, str) and answer.strip().startswith("{"):
        try:
            answer = json.loads(answer)
        except ValueError as error:
            raise ValidationError(f"it is not JSON: {error}.") from error
    if isinstance(answer, dict):
        # An empty field counts as left out.
        return {name: value for name, value in answer.items() if value is not None}
    if answer is None or answer == "":
        return {}
    if len(fields) != 1:
        wanted = ", ".join(fields) or "none"
        raise ValidationError(f"it must be one JSON object with the fields {wanted}.")
    return dict.fromkeys(fields, answer)


def _convert_value(value: Any, field: Any) -> Any:
    if not isinstance(field, Mapping):
        return value
    choices = choices_of(field)
    if isinstance(value, str) and value in choices:
        return choices[value]
    if isinstance(value, list):
        return [_convert_value(one, field.get("items")) for one in value]
    return _convert_text(value, field.get("type")) if isinstance(value, str) else value


def _convert_text(text: str, kind: Any) -> Any:
    plain = text.strip()
    if kind == "boolean" and plain.lower() in _YES | _NO:
        return plain.lower() in _YES
    if kind in {"integer", "number"}:
        try:
            number = json.loads(plain)
        except ValueError:
            return text
        # JSON numbers only: not `NaN`, and `true` is not 1.
        finite = isinstance(number, int | float) and not isinstance(number, bool)
        return number if finite and abs(number) < float("inf") else text
    return text


_URL_CHARS_MAX = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ElicitationRequest:
    """A request for fields to fill in, or for a page to visit."""

    server: str
    tool: str
    message: str
    schema: dict[str, Any]
    url: str

    @property
    def args(self) -> dict[str, Any]:
        """The arguments an answer is bound to."""
        request = {"url": self.url} if self.url else {"schema": self.schema}
        return {"server": self.server, "message": self.message, **request}

    def action(self, name: str, call_id: str, key: str) -> ActionRequest:
        """Make the action request of the call it belongs to."""
        return {
            "name": name,
            "args": self.args,
            "description": f"{self.server} asks: {self.message}",
            "tool_call_id": call_id,
            "call_key": key,
            "args_hash": hash_of_args(self.args),
        }

    def request(self, action: ActionRequest, problem: str) -> dict[str, Any]:
        """Make the human request; `problem` is what was wrong with the last answer."""
        again = f"The last answer did not fit: {problem} " if problem else ""
        return {
            "kind": "elicitation",
            "question": f"{self.message}\n{self.url}".strip(),
            "question_type": "url" if self.url else "form",
            "context": again + self._make_warning(),
            "options": self._options(),
            "action_requests": [action],
            "required": True,
        }

    def _make_warning(self) -> str:
        advice = (
            "Open the page only if you trust that server; answer when you have been there."
            if self.url
            else "Give it only what it may have, and never a password."
        )
        return (
            f"The MCP server {self.server!r} asks this in the middle of {self.tool!r}. The words "
            f"are the server's own, and nobody has checked them. {advice}"
        )

    def _options(self) -> list[dict[str, Any]]:
        # A single choice is shown like any question with options.
        fields = list(self.schema.get("properties", {}).values())
        labels = list(choices_of(fields[0])) if len(fields) == 1 else []
        return [{"label": label, "description": ""} for label in labels[:QUESTION_OPTIONS_MAX]]


def question_from(elicitation: Elicitation, server: str, tool: str) -> ElicitationRequest:
    """Make the request of an elicitation; `ValidationError` says why it cannot be asked."""
    message = clean_text(elicitation.message, QUESTION_CHARS_MAX)
    url = elicitation.url
    if url:
        plain = len(url) <= _URL_CHARS_MAX and url == in_one_line(url, _URL_CHARS_MAX)
        if not plain or urlsplit(url).scheme not in {"http", "https"}:
            raise ValidationError(f"the server wants a person to open {url!r:.100}; no web page.")
        return ElicitationRequest(server=server, tool=tool, message=message, schema={}, url=url)
    schema = check_form(elicitation.schema)
    return ElicitationRequest(server=server, tool=tool, message=message, schema=schema, url="")
