"""The sources of an answer's figures, in a line or two below it. Pure."""

from typing import TYPE_CHECKING, Any

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.transcript.calls.diff import ScreenLine

if TYPE_CHECKING:
    from dataagent_core.events import TextEvent

UNSOURCED_SHOWN_MAX = 12
# The class of a figure whose value is in a result, but whose text does not name that cell.
_VALUE_ONLY = "value"
# The reason of a figure about data in a session without any query result.
_NO_QUERY = "no_query"


def figure_lines(event: "TextEvent", say: Messages) -> list[ScreenLine]:
    """Write the sources of figures, the figures matched by value, and those without a source."""
    lines: list[ScreenLine] = []
    traced = [item for item in event.figures if _field(item, "class") != _VALUE_ONLY]
    found = [item for item in event.figures if _field(item, "class") == _VALUE_ONLY]
    if traced:
        sources = "; ".join(_sources(traced, say))
        lines.append(ScreenLine(say("figures_traced", count=len(traced), sources=sources)))
    if found:
        line = say("figures_value", count=len(found), figures=_texts(found))
        lines.append(ScreenLine(f"≈ {line}", "yellow"))
    for key, items in _group_unsourced(event.unsourced).items():
        line = say(key, count=len(items), figures=_texts(items))
        lines.append(ScreenLine(f"? {line}", "yellow"))
    return lines


def _group_unsourced(unsourced: list[Any]) -> dict[str, list[Any]]:
    """Separate figures that no query could prove from those missing in the results."""
    found: dict[str, list[Any]] = {}
    for item in unsourced:
        key = "figures_no_query" if _field(item, "reason") == _NO_QUERY else "figures_unsourced"
        found.setdefault(key, []).append(item)
    return found


def _texts(figures: list[Any]) -> str:
    texts = [one_line(str(_field(item, "text"))) for item in figures]
    more = "" if len(texts) <= UNSOURCED_SHOWN_MAX else " …"
    return ", ".join(texts[:UNSOURCED_SHOWN_MAX]) + more


def _sources(figures: list[Any], say: Messages) -> list[str]:
    """List each source once, with what was derived from it."""
    found: dict[str, dict[str, None]] = {}
    for item in figures:
        source = str(_field(item, "result_id") or _field(item, "detail"))
        derivation = str(_field(item, "derivation"))
        found.setdefault(source, {})[derivation] = None
    return [
        one_line(source)
        if list(derivations) == ["output"]
        else f"{one_line(source)}: {', '.join(_word(name, say) for name in derivations)}"
        for source, derivations in found.items()
    ]


def _word(derivation: str, say: Messages) -> str:
    key = f"derivation.{derivation}"
    return say(key) if say.has(key) else one_line(derivation)


def _field(item: Any, name: str) -> Any:
    return item.get(name) if isinstance(item, dict) else None
