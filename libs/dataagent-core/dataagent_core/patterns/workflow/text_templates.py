"""Makes a text with places from a text of each run: what is alike stays, what differs goes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from dataagent_core.config.limits.patterns import (
    WORKFLOW_COMPARED_CHARS_MAX,
    WORKFLOW_COMPARISONS_MAX,
)
from dataagent_core.patterns.scrub import holds_private
from dataagent_core.patterns.workflow.code_places import find_unsafe
from dataagent_core.patterns.workflow.differences import (
    Part,
    count_parts,
    find_parts,
    join_parts,
)
from dataagent_core.patterns.workflow.value_sources import ValueSources, write_place
from dataagent_core.patterns.workflow.workflow import PLACE, TextTemplate

_PLACES_MAX: Final = 8
# Between the parts of a text that are alike.
_GAP: Final = "\0"


@dataclass(slots=True, eq=False)
class TemplateMaker:
    """Compares the texts of one workflow; it takes only so long."""

    sources: ValueSources
    # To compare two texts takes the product of their words and signs, at worst.
    comparisons_left: int = WORKFLOW_COMPARISONS_MAX

    def compare(self, texts: Sequence[str]) -> list[Part] | None:
        """Return what is alike and what differs; None where it cannot be told, or not in time."""
        if max(map(len, texts)) > WORKFLOW_COMPARED_CHARS_MAX:
            return None
        counts = list(map(count_parts, texts))
        self.comparisons_left -= sum(counts[0] * count for count in counts)
        parts = find_parts(texts) if self.comparisons_left >= 0 else None
        return None if parts is None else join_parts(parts, self.sources.is_known)

    def make(
        self,
        parts: Sequence[Part] | None,
        step: int,
        argument: str,
        has_source: Callable[[Sequence[str]], bool],
    ) -> TextTemplate | None:
        """Return a text with places, if each of its differences has a known source."""
        if parts is None or not self._may_keep(parts):
            return None
        # Names are given only when all differences have a source.
        has_sources = all(isinstance(one, str) or has_source(one) for one in parts)
        if not (has_sources and self._are_words(parts, step, argument)):
            return None
        written: list[str] = []
        for part in parts:
            if isinstance(part, str):
                written.append(part)
                continue
            suggested = self.sources.suggest_name(part, written[-1] if written else "")
            written.append(write_place(self.sources.find_name(part, step, suggested)))
        return TextTemplate("".join(written))

    def may_take(self, texts: Sequence[str], step: int, argument: str) -> bool:
        """Say whether a result may give the whole of an argument."""
        return self._are_words([tuple(texts)], step, argument)

    def _may_keep(self, parts: Sequence[Part]) -> bool:
        alike = _GAP.join(one for one in parts if isinstance(one, str))
        places = sum(not isinstance(one, str) for one in parts)
        is_plain = not PLACE.search(alike) and not holds_private(alike.replace(_GAP, " "))
        return places <= _PLACES_MAX and is_plain

    def _are_words(self, parts: Sequence[Part], step: int, argument: str) -> bool:
        """Say whether what differs is one word each, where a program reads it."""
        calls = self.sources.calls[0]
        if step >= len(calls):
            return True
        places = {f"p{n}": part for n, part in enumerate(parts) if isinstance(part, tuple)}
        template = TextTemplate(
            "".join(p if isinstance(p, str) else write_place(f"p{n}") for n, p in enumerate(parts))
        )
        return not any(
            find_unsafe(
                calls[step].tool_name,
                argument,
                template,
                {name: part[run] for name, part in places.items()},
                (),
            )
            for run in range(len(self.sources.words))
        )
