"""Which pins are kept: each once, the earlier kinds first, as many as the budget holds."""

from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.config.context_limits import PIN_ERRORS_SHARE, PIN_IDENTIFIERS_SHARE
from dataagent_core.context.pins.pin import KINDS, Pin, PinKind
from dataagent_core.tools.catalog.estimate import estimated_tokens

_ORDER = {kind: rank for rank, kind in enumerate(KINDS)}
_SHARES: dict[PinKind, float] = {"error": PIN_ERRORS_SHARE, "identifier": PIN_IDENTIFIERS_SHARE}
# "- " before a pin, " (event 1234)" and a line's end after it.
_LINE_TOKENS = 6


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is kept, in the order it is shown, and what is not."""

    kept: tuple[Pin, ...]
    left: tuple[Pin, ...]


def pin_tokens(pin: Pin) -> int:
    """Estimate what a pin costs in the block."""
    return estimated_tokens(pin.text) + _LINE_TOKENS


def merged(pins: Sequence[Pin]) -> list[Pin]:
    """Leave one of equal pins, with the latest event, where the latest stood."""
    latest: dict[tuple[str, str], Pin] = {}
    for pin in pins:
        earlier = latest.pop((pin.kind, pin.text), pin)
        latest[pin.kind, pin.text] = pin if pin.seq is not None else earlier
    return list(latest.values())


def ranked(pins: Sequence[Pin], budget_tokens: int) -> list[Pin]:
    """Order pins by kind; those of a kind stay in the order they come in."""
    first: list[Pin] = []
    after: list[Pin] = []
    spent: dict[PinKind, int] = {}
    for pin in sorted(pins, key=lambda pin: _ORDER[pin.kind]):
        spent[pin.kind] = spent.get(pin.kind, 0) + pin_tokens(pin)
        within = spent[pin.kind] <= _SHARES.get(pin.kind, 1.0) * budget_tokens
        (first if within or pin.kind not in _SHARES else after).append(pin)
    return [*first, *after]


def chosen(pins: Sequence[Pin], budget_tokens: int) -> Chosen:
    """Keep the first that fit; once a kind gave way, nothing that ranks after it takes its room."""
    unique = merged(pins)
    room = budget_tokens
    kept: set[Pin] = set()
    gave_way: PinKind | None = None
    # Within a kind, the latest first.
    for pin in ranked(unique[::-1], budget_tokens):
        if gave_way is not None and pin.kind != gave_way:
            break
        if pin_tokens(pin) > room:
            gave_way = pin.kind
            continue
        room -= pin_tokens(pin)
        kept.add(pin)
    shown = sorted((pin for pin in unique if pin in kept), key=lambda pin: _ORDER[pin.kind])
    return Chosen(tuple(shown), tuple(pin for pin in unique if pin not in kept))
