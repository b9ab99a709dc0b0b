"""Secrets, and the masks of values that may not be seen, are not remembered. Pure."""

import re
from collections.abc import Mapping
from typing import Final

from dataagent_core.memory.hygiene.refusal import MemoryRefusedError
from dataagent_core.memory.texts.clauses import make_plain
from dataagent_core.models.embeddings.message_ids import mask_keys
from dataagent_core.secrets.spoken_secret import mask_spoken_secrets

_HIDDEN: Final = "[secret]"
_SHOWN_CHARS_MAX: Final = 80
# A moment in ISO form is a long token of digits too, and no key.
_MOMENT: Final = re.compile(
    r"(?<![\w-])\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?!\w)"
)
# `[email 3fa2]` of a masked column, `***` of a log, `[number]` of a pattern.
_MASK: Final = re.compile(
    r"\[[a-z][a-z ]{1,30} [0-9a-f]{4}\]|\*{3,}|•{3,}"
    r"|\[(?:secret|email|place|plate|account|address|number|phone|card|id number|redacted|masked)"
    r"\]",
    re.IGNORECASE,
)


def holds_secret(text: str) -> bool:
    """Say whether a text holds what looks like a secret."""
    return hide_secrets(text) != _MOMENT.sub(" ", make_plain(text))


def hide_secrets(text: str) -> str:
    """Return a text with a mask for each secret."""
    plain = _MOMENT.sub(" ", make_plain(text))
    return mask_keys(mask_spoken_secrets(plain, _HIDDEN), _HIDDEN)


def find_mask(text: str) -> str | None:
    """Return a mask that a text holds."""
    found = _MASK.search(make_plain(text))
    return found[0] if found else None


def check_secrets(texts: Mapping[str, str]) -> None:
    """Refuse texts, each by the name of its field, that hold a secret or a mask."""
    for name, text in texts.items():
        if holds_secret(text):
            raise MemoryRefusedError(
                "secret",
                f"The {name} of this memory holds what looks like a secret, which is never "
                f"remembered: {hide_secrets(text)[:_SHOWN_CHARS_MAX]!r}. Say where it is kept "
                "instead.",
            )
        mask = find_mask(text)
        if mask is not None:
            raise MemoryRefusedError(
                "masked",
                f"The {name} of this memory holds {mask!r}, which stands for a value that may not "
                "be seen. Leave it out, or say it without the value.",
            )
