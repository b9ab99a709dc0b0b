"""An MCP server's form at the terminal: one question per field, each answer checked at once.

Text of the server is written behind the bar, with hidden characters spelled out.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, cast

from dataagent_cli.approval.action_lines import BAR
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import spell_out
from dataagent_cli.output.streams import Output
from dataagent_cli.output.text_width import fold
from dataagent_core.errors import ValidationError

CHOICES_SHOWN_MAX: Final = 50
_NUMBER_CHARS_MAX: Final = 4
_KINDS: Final = frozenset({"string", "integer", "number", "boolean", "array"})

# Shows a prompt and returns the typed text; the end of the input is an error.
Ask = Callable[[str], Awaitable[str]]


class FormDialogue:
    """Asks for the fields of one form."""

    def __init__(self, ask: Ask, output: Output, say: Messages) -> None:
        self._ask = ask
        self._output = output
        self._say = say

    async def fill(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """Ask for each field; an optional field that is left empty is omitted."""
        required = frozenset(schema.get("required") or ())
        content: dict[str, Any] = {}
        for name, wanted in schema["properties"].items():
            field = cast("Mapping[str, Any]", wanted) if isinstance(wanted, Mapping) else {}
            content |= await self._field(name, field, required=name in required)
        return content

    async def _field(
        self, name: str, field: Mapping[str, Any], *, required: bool
    ) -> dict[str, Any]:
        self._show(name, field, required=required)
        usual = _check_value(name, field, field["default"]) if "default" in field else None
        usual = usual if isinstance(usual, dict) else {}
        shown = f" [{spell_out(str(usual[name]))}]" if usual else ""
        prompt = self._say("mcp_field", field=spell_out(name) + shown)
        while True:
            typed = (await self._ask(prompt)).strip()
            if not typed and (usual or not required):
                return usual
            given = _check_value(name, field, parse_choice(typed, field)) if typed else None
            if isinstance(given, dict):
                return given
            problem = given or self._say("mcp_field_needed")
            text = self._say("warning", text=spell_out(problem))
            self._output.note(text, fg="yellow")

    def _show(self, name: str, field: Mapping[str, Any], *, required: bool) -> None:
        say = self._say
        needs = say("mcp_field_required" if required else "mcp_field_optional")
        about = [f"{_field_title(name, field)} · {self._kind(field)}, {needs}"]
        if isinstance(description := field.get("description"), str):
            about += [f"  {line}" for line in description.splitlines()]
        labels = labels_of(field)
        about += [f"  [{n}] {label}" for n, label in enumerate(labels[:CHOICES_SHOWN_MAX], 1)]
        if len(labels) > CHOICES_SHOWN_MAX:
            about.append("  " + say("more_lines", count=len(labels) - CHOICES_SHOWN_MAX))
        write_behind_bar(about, self._output)

    def _kind(self, field: Mapping[str, Any]) -> str:
        kind = field.get("type")
        several = kind == "array"
        if labels_of(field):
            return self._say("mcp_kind.choices" if several else "mcp_kind.choice")
        known = kind if isinstance(kind, str) and kind in _KINDS else "string"
        named = field.get("format")
        return self._say(f"mcp_kind.{known}") + (f" ({named})" if isinstance(named, str) else "")


def write_behind_bar(lines: list[str], output: Output) -> None:
    """Write text of others so that none of it looks like ours."""
    for line in lines:
        for piece in fold(spell_out(line), output.width_cells - len(BAR)):
            output.note(BAR + piece)


def labels_of(field: Mapping[str, Any]) -> list[str]:
    """List the options of a field with one or several choices."""
    from dataagent_core.mcp.tools.elicitation_request import choices_of

    several = field.get("type") == "array"
    return list(choices_of(field.get("items") if several else field))


def parse_choice(typed: str, field: Mapping[str, Any]) -> Any:
    """Read the typed text: a number chooses an option, commas separate several choices."""
    labels = labels_of(field)
    if field.get("type") != "array":
        return _resolve_number(typed, labels)
    parts = (part.strip() for part in typed.replace("\uff0c", ",").split(","))
    return [_resolve_number(part, labels) for part in parts if part]


def _resolve_number(typed: str, labels: list[str]) -> str:
    if typed in labels or not typed.isdecimal() or len(typed) > _NUMBER_CHARS_MAX:
        return typed
    number = int(typed)
    return labels[number - 1] if 1 <= number <= len(labels) else typed


def _check_value(name: str, field: Mapping[str, Any], value: Any) -> dict[str, Any] | str:
    """Return the field with its value, or the problem with the value."""
    from dataagent_core.mcp.tools.elicitation_request import fill_form

    schema = {"type": "object", "properties": {name: dict(field)}, "required": [name]}
    try:
        return fill_form(schema, {name: value})
    except ValidationError as error:
        return str(error)


def _field_title(name: str, field: Mapping[str, Any]) -> str:
    title = field.get("title")
    return f"{title} ({name})" if isinstance(title, str) and title else name
