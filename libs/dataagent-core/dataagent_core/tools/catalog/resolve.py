"""Turns the names a model asks for into tools of the catalogue, or into the nearest names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.tools import BaseTool

from dataagent_core.tools.nearest import nearest


@dataclass(frozen=True, slots=True)
class Resolved:
    """What was found, and for each name that was not, what may have been meant."""

    tools: tuple[BaseTool, ...]
    unknown: Mapping[str, Sequence[str]]


def resolved(names: Sequence[str], catalogue: Sequence[BaseTool]) -> Resolved:
    """Look the names up; one without its group's prefix is understood if only one tool fits."""
    by_name = {tool.name: tool for tool in catalogue}
    found: dict[str, BaseTool] = {}
    unknown: dict[str, Sequence[str]] = {}
    for name in names:
        tool = by_name.get(name) or _only_one_ending(name, catalogue)
        if tool is None:
            unknown[name] = nearest(name, by_name)
        else:
            found[tool.name] = tool
    return Resolved(tuple(found.values()), unknown)


def _only_one_ending(name: str, catalogue: Sequence[BaseTool]) -> BaseTool | None:
    ending = [tool for tool in catalogue if name and tool.name.endswith(f"_{name}")]
    return ending[0] if len(ending) == 1 else None
