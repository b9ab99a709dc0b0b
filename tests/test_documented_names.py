"""`docs/documented-names.md` is true: what it says can be imported can, with those parameters.

Each table has one kind of row. A row that says `planned` fails as soon as its name exists, so that
whoever brings it writes down where it is.
"""

import importlib
import importlib.metadata
import inspect
import json
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from typing_extensions import is_typeddict

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "documented-names.md"
DOCUMENTS = ("S0", "S1", "S2", "S3", "S4")
IMPORTED = ("Core library", "Server", "Names of S2 and S3", "Modules")

_CODE = re.compile(r"`([^`]+)`")
_CALL = re.compile(r"(?P<name>[\w.:/ {}-]+?)(?:\((?P<parameters>[^)]*)\))?\Z")


@dataclass(frozen=True)
class Row:
    section: str
    documented: str
    source: str
    here: str
    note: str

    def __str__(self) -> str:
        return f"{self.section}: {self.documented}"

    @property
    def name(self) -> str:
        return self._call["name"]

    @property
    def parameters(self) -> list[str]:
        return [one.strip() for one in (self._call["parameters"] or "").split(",") if one.strip()]

    @property
    def not_taken(self) -> set[str]:
        """Read the parameters up to the first full stop after "Not taken:"."""
        _, _, listed = self.note.partition("Not taken:")
        return set(_CODE.findall(listed.partition(".")[0]))

    @property
    def target(self) -> str:
        (path,) = _CODE.findall(self.here)
        return path

    @property
    def _call(self) -> "re.Match[str]":
        match = _CALL.match(self.documented)
        assert match is not None, f"cannot be read: {self.documented}"
        return match


def rows() -> Iterator[Row]:
    section = ""
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.startswith("| `"):
            documented, source, here, note = (cell.strip() for cell in line[1:-1].split("|"))
            yield Row(section, _CODE.findall(documented)[0], source, here, note)


ROWS = tuple(rows())
THERE = [row for row in ROWS if row.here not in {"planned", "none"}]


def test_each_name_has_one_row():
    named = [(row.section, row.documented, row.source) for row in ROWS]
    assert [name for name in named if named.count(name) > 1] == []


def of(*sections: str, there: bool = True) -> list[Row]:
    return [row for row in (THERE if there else ROWS) if row.section in sections]


def found(path: str) -> Any:
    """Import the longest module of a path, and get the rest from it."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError as error:
            # A missing import inside an existing module is another error.
            if error.name is None or not path.startswith(error.name):
                raise
            continue
        for name in parts[length:]:
            value = getattr(value, name)
        return value
    raise ModuleNotFoundError(path, name=path)


def accepted(value: Any) -> set[str]:
    """List the fields or parameters of a class or function."""
    if is_typeddict(value):
        return set(value.__annotations__)
    if inspect.isclass(value) and issubclass(value, BaseModel):
        return set(value.model_fields)
    return set(inspect.signature(value).parameters) - {"self"}


@pytest.mark.parametrize("row", of(*IMPORTED), ids=str)
def test_what_a_row_names_is_there_and_takes_what_is_documented(row: Row):
    value = found(row.target)
    if not row.parameters:
        assert not row.not_taken
        return
    assert set(row.parameters) - accepted(value) == row.not_taken


@pytest.mark.parametrize("row", [row for row in ROWS if row.here == "planned"], ids=str)
def test_what_is_planned_does_not_exist_yet(row: Row):
    future = _CODE.findall(row.note)[0]
    with pytest.raises((ModuleNotFoundError, AttributeError)):
        found(future)


@pytest.mark.parametrize("row", [row for row in ROWS if row.here == "none"], ids=str)
def test_what_is_not_here_says_why(row: Row):
    assert len(row.note) > 20


def test_every_row_names_its_document():
    assert [str(row) for row in ROWS if not row.source.startswith(DOCUMENTS)] == []


def test_no_section_is_empty():
    sections = re.findall(r"^## (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert [name for name in sections if not of(name, there=False)] == []


@pytest.mark.parametrize("row", of("Settings"), ids=str)
def test_a_setting_is_read_from_its_variable(row: Row):
    from dataagent_core.config.resolve.layers import variable_names
    from dataagent_server.settings import ServerSettings

    field = row.target.removeprefix("ServerSettings.")
    assert row.name in variable_names(field, ServerSettings.model_fields[field])


@pytest.mark.parametrize("row", of("End points"), ids=str)
def test_an_end_point_is_served(row: Row):
    paths = json.loads((ROOT / "web" / "openapi.json").read_text("utf-8"))["paths"]
    method, path = row.target.split()
    assert method.lower() in paths[path]
    # Only the names of parameters may differ.
    assert re.sub(r"{\w+}", "{}", row.name) == re.sub(r"{\w+}", "{}", row.target)


def test_the_websocket_takes_the_documented_messages():
    from dataagent_server.api.models import WebSocketMessage

    taken = get_args(WebSocketMessage.model_fields["type"].annotation)
    assert {row.target for row in of("WebSocket messages")} <= set(taken)


@pytest.mark.parametrize("row", of("Tables"), ids=str)
def test_a_table_has_its_columns(row: Row):
    from dataagent_server.db import tables
    from dataagent_server.db.metadata import metadata

    for module in pkgutil.iter_modules(tables.__path__):
        importlib.import_module(f"{tables.__name__}.{module.name}")
    assert set(row.parameters) <= set(metadata.tables[row.target].columns.keys())


def test_error_codes_have_their_status():
    from dataagent_server.common.error_table import TABLE

    text = PAGE.read_text("utf-8")
    documented = dict(re.findall(r"^\| `([A-Z_]+)` \((\d{3})\)", text, re.MULTILINE))
    assert set(documented) == {row.target for row in of("Error codes")}
    assert {code: str(TABLE[code].http_status) for code in documented} == documented


async def test_an_agent_has_the_documented_tools(tmp_path: Path):
    from dataagent_core.config import Settings
    from dataagent_core.engine import AgentConfig, AgentFactory

    environment = {
        "DATAAGENT_HOME": str(tmp_path),
        "TAVILY_API_KEY": "k",
        "DATAAGENT_MODEL": "demo",
    }
    factory = AgentFactory(Settings.load(environment, tmp_path))
    executor = factory.create_executor(AgentConfig(assistant_id="a"))
    offered = {tool.name for tool in (await executor.tools()).tools}
    await executor.aclose()
    assert {row.target for row in of("Tools")} <= offered


@pytest.mark.parametrize("row", of("Extras"), ids=str)
@pytest.mark.parametrize("distribution", ["dataagent", "dataagent-core"])
def test_an_extra_installs_something(row: Row, distribution: str):
    metadata = importlib.metadata.metadata(distribution)
    assert row.target in (metadata.get_all("Provides-Extra") or [])
    required = importlib.metadata.requires(distribution) or []
    assert any(f"extra == '{row.target}'" in one.replace('"', "'") for one in required)
