"""Selects the pins to keep: each once, by priority of kinds, within the budget."""

from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.config.limits.context import PIN_ERRORS_SHARE, PIN_IDENTIFIERS_SHARE
from dataagent_core.context.pins.pin import KINDS, ContextPin, PinKind
from dataagent_core.tools.catalog.core_tools import estimate_tokens

_ORDER = {kind: rank for rank, kind in enumerate(KINDS)}
_SHARES: dict[PinKind, float] = {"error": PIN_ERRORS_SHARE, "identifier": PIN_IDENTIFIERS_SHARE}
# "- " before a pin, " (event 1234)" and a line's end after it.
_LINE_TOKENS = 6


@dataclass(frozen=True, slots=True)
class PinSelection:
    """The pins that are kept, in the order they are shown, and those that are not."""

    kept: tuple[ContextPin, ...]
    left: tuple[ContextPin, ...]


def pin_tokens(pin: ContextPin) -> int:
    """Estimate what a pin costs in the block."""
    return estimate_tokens(pin.text) + _LINE_TOKENS


def merge_pins(pins: Sequence[ContextPin]) -> list[ContextPin]:
    """Keep one of equal pins: the latest, at its position."""
    latest: dict[tuple[str, str], ContextPin] = {}
    for pin in pins:
        earlier = latest.pop((pin.kind, pin.text), pin)
        latest[pin.kind, pin.text] = pin if pin.seq is not None else earlier
    return list(latest.values())


def rank_pins(pins: Sequence[ContextPin], budget_tokens: int) -> list[ContextPin]:
    """Order pins by kind; within a kind the order stays."""
    first: list[ContextPin] = []
    after: list[ContextPin] = []
    spent: dict[PinKind, int] = {}
    for pin in sorted(pins, key=lambda pin: _ORDER[pin.kind]):
        spent[pin.kind] = spent.get(pin.kind, 0) + pin_tokens(pin)
        within = spent[pin.kind] <= _SHARES.get(pin.kind, 1.0) * budget_tokens
        (first if within or pin.kind not in _SHARES else after).append(pin)
    return [*first, *after]


def select_pins(pins: Sequence[ContextPin], budget_tokens: int) -> PinSelection:
    """Keep the first that fit; once a kind does not fit, no later kind is kept."""
    unique = merge_pins(pins)
    left_tokens = budget_tokens
    kept: set[ContextPin] = set()
    full_kind: PinKind | None = None
    # Within a kind, the latest first.
    for pin in rank_pins(unique[::-1], budget_tokens):
        if full_kind is not None and pin.kind != full_kind:
            break
        if pin_tokens(pin) > left_tokens:
            full_kind = pin.kind
            continue
        left_tokens -= pin_tokens(pin)
        kept.add(pin)
    shown = sorted((pin for pin in unique if pin in kept), key=lambda pin: _ORDER[pin.kind])
    return PinSelection(tuple(shown), tuple(pin for pin in unique if pin not in kept))
