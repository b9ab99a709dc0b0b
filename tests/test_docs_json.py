"""Every JSON example of the documents is what the code takes.

An example behind an operation (`POST /api/v1/...`, or curl) is a body of it and is checked against
`openapi.json`, which a test of the server holds to the code. Others are told by their own shape.
One that is neither fails: say what it is for, or give it a form that is known here.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from dataagent_core.errors import ValidationError
from dataagent_core.hitl.decisions import ALLOWED, check_decision
from dataagent_core.mcp import MCPConfig
from dataagent_core.models.scripted.script import Script
from dataagent_core.skills.evals import parse_evals
from dataagent_core.tools.data.reports.report_blocks import Block
from dataagent_core.tools.data.reports.report_definition import ReportDefinition, read_definition
from dataagent_server.api.models.websocket import WebSocketMessage

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
DOCUMENT: dict[str, Any] = json.loads((ROOT / "web" / "openapi.json").read_text("utf-8"))
REPORTS = (ROOT / "docs" / "data.md").read_text().partition("## Reports")[2].partition("\n## ")[0]

# A literal, the data of a curl, a line of a list of operations; or a whole block.
_EXAMPLE = re.compile(r"`(\{\"[^`]*\})`|-d '(\{[^']*\})'|^[A-Z]+ +/api\S+ +(\{.*\})$", re.MULTILINE)
_JSON_BLOCK = re.compile(r"```json\n(.*?)```", re.DOTALL)
_OPERATION = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE)`?\s+`?(/api/v1/[^\s`?]*)")
_CURL = re.compile(r"curl (?:.*-X (\w+))?.*?(/api/v1/[\w/{}$-]*)", re.DOTALL)
_NAMES_ONLY = re.compile(r'\{("\w+"(?:, "\w+")*)\}')
_ALTERNATIVES = re.compile(r'("\w+")(?: \| "\w+")+')
# Responses of the server and values of Python, which are not request bodies.
_NO_BODY = (
    '{"event_type", "data", "timestamp", "seq", "run_id"}',
    '{"error_code", "message", "details", "request_id"}',
    '{"error_code", "message", "details"}',
    '{"needs_approval": True}',
    '{"type": ..., "payload": {...}}',
    '{"input_tokens": n, "output_tokens": n}',
    '{"path": oops}',
)


@dataclass(frozen=True, slots=True)
class Example:
    page: str
    text: str
    # The last operation before it in its paragraph or table row.
    operation: tuple[str, str] | None
    row: str


def paragraphs(text: str) -> Iterator[str]:
    """Split a page into paragraphs; each row of a table is one."""
    for part in re.split(r"\n\s*\n", text):
        if part.lstrip().startswith("|"):
            yield from part.splitlines()
        else:
            yield part


def examples_of(page: Path) -> Iterator[Example]:
    text = page.read_text()
    for block in _JSON_BLOCK.findall(text):
        yield Example(page.name, block, None, "")
    for part in paragraphs(_JSON_BLOCK.sub("", text)):
        for found in _EXAMPLE.finditer(part):
            before = part[: found.start(found.lastindex or 0)]
            shown = next(filter(None, found.groups()))
            yield Example(page.name, shown, last_operation(before), part)


def last_operation(before: str) -> tuple[str, str] | None:
    if "curl" in before:
        method, path = _CURL.findall(before[before.rindex("curl") :])[-1]
        return method or "POST", path
    found = _OPERATION.findall(before)
    return found[-1] if found else None


EXAMPLES = [one for page in PAGES for one in examples_of(page)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{e.page} {e.text[:40]}")
def test_a_json_example_is_what_the_code_takes(example: Example, tmp_path: Path):
    if example.text in _NO_BODY:
        return
    if (names := _NAMES_ONLY.fullmatch(example.text)) is not None:
        assert example.operation is not None, example
        known = resolved(body_schema(*example.operation))["properties"]
        assert set(json.loads(f"[{names[1]}]")) <= set(known)
        return
    text = _ALTERNATIVES.sub(r"\1", example.text).replace("[...]", "[]").replace('"..."', '"some"')
    value = json.loads(text)
    if example.operation is not None:
        jsonschema.validate(value, body_schema(*example.operation))
        if "decision" in value:
            check_some_decision(value["decision"])
        return
    checks = [check for fits, check in SHAPES if fits(value, example)]
    assert checks, f"what is this for? {example}"
    checks[0](value, tmp_path)


def body_schema(method: str, path: str) -> dict[str, Any]:
    """Return the schema of an operation's body, with its references."""
    for known, operations in DOCUMENT["paths"].items():
        if _same_path(known, path) and method.lower() in operations:
            schema = operations[method.lower()]["requestBody"]["content"]["application/json"]
            return schema["schema"] | {"components": DOCUMENT["components"]}
    raise AssertionError(f"{method} {path} is no operation")


def _same_path(known: str, written: str) -> bool:
    pairs = zip(known.split("/"), written.rstrip("/").split("/"), strict=False)
    return known.count("/") == written.rstrip("/").count("/") and all(
        ours == theirs or ours.startswith("{") for ours, theirs in pairs
    )


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def check_some_decision(value: dict[str, Any], _folder: Path | None = None) -> None:
    """Check that a decision answers at least one kind of request."""
    for kind in ALLOWED:
        try:
            check_decision(kind, value)
        except ValidationError:
            continue
        return
    raise AssertionError(f"{value} answers nothing")


def check_servers(value: dict[str, Any], folder: Path) -> None:
    (folder / "mcp.json").write_text(json.dumps(value))
    assert MCPConfig.from_file(folder / "mcp.json").servers


def check_frame(value: dict[str, Any], row: str) -> None:
    kind = re.findall(r"`(\w+)`", row)[0]
    WebSocketMessage.model_validate({"type": kind, "payload": value})
    if "decision" in value:
        check_some_decision(value["decision"])


Value = dict[str, Any]
_DECISIONS = {each for kinds in ALLOWED.values() for each in kinds}
_FRAMES = get_args(WebSocketMessage.model_fields["type"].annotation)
_FRAME_ROWS = tuple(f"| `{kind}` |" for kind in _FRAMES)
SHAPES: list[tuple[Callable[[Value, Example], bool], Callable[[Value, Path], object]]] = [
    (lambda value, _: value.get("type") in _DECISIONS, check_some_decision),
    (lambda value, _: bool({"servers", "mcpServers"} & set(value)), check_servers),
    (
        lambda value, _: bool({"scripts", "steps"} & set(value)),
        lambda value, _: Script.model_validate(
            value if "scripts" in value else {"scripts": [value]}
        ),
    ),
    # The evals of a skill.
    (
        lambda value, _: set(value) == {"should", "should_not"},
        lambda value, _: parse_evals(json.dumps(value).encode()),
    ),
    # The output of `permissions explain --json` has its own tests.
    (
        lambda value, _: set(value) == {"decision", "reason", "rule", "commands", "always"},
        lambda value, _: value,
    ),
    # Frames have their own test below.
    (lambda _, example: example.row.startswith(_FRAME_ROWS), lambda value, _: value),
]


def test_the_frames_of_the_websocket_are_all_described():
    page = (ROOT / "docs" / "server.md").read_text()
    rows = {kind: row for kind in _FRAMES for row in page.splitlines() if f"| `{kind}` |" in row}
    assert set(rows) == set(_FRAMES)
    for row in rows.values():
        check_frame(json.loads(re.findall(r"`(\{.*?\})`", row)[0]), row)


def test_the_decisions_of_every_kind_of_request_are_described():
    page = (ROOT / "docs" / "server.md").read_text()
    for kind, types in ALLOWED.items():
        (row,) = [r for r in page.splitlines() if r.startswith("|") and f"`{kind}`" in r]
        assert "mcp.md" in row or set(types) <= set(re.findall(r"`(\w+)`", row)), kind


def test_every_block_of_a_report_is_described_with_its_fields():
    for kind in get_args(get_args(Block)[0]):
        (name,) = get_args(kind.model_fields["type"].annotation)
        row = next((line for line in REPORTS.splitlines() if line.startswith(f"| `{name}` |")), "")
        missing = [f for f in kind.model_fields if f != "type" and f"`{f}`" not in row]
        assert row, f"data.md does not describe the block {name!r}"
        assert not missing, f"data.md does not describe {missing} of the block {name!r}"


def test_the_report_of_the_page_about_data_is_one():
    (shown,) = re.findall(r"```yaml\n(.*?)```", REPORTS, re.DOTALL)
    definition = read_definition(shown)
    used = {block.type for block in definition.blocks}
    assert used == {
        get_args(k.model_fields["type"].annotation)[0] for k in get_args(get_args(Block)[0])
    }
    assert set(re.findall(r"`(\w+)`", REPORTS)) >= set(ReportDefinition.model_fields)
