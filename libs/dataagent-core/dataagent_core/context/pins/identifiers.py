"""Finds identifiers in a text: paths, addresses, ids, tickets, names in backticks."""

import re

from dataagent_core.config.context_limits import (
    IDENTIFIERS_OF_A_MESSAGE_MAX,
    PIN_CHARS_MAX,
)
from dataagent_core.context.pins.sentences import ends

# Each alternative begins with something rare and repeats one class only, so that no text takes
# more than linear time.
_IDENTIFIER = re.compile(
    r"`([^`\n]{2,200})`"
    r"|(\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"'`\u3000-\u303f\uff00-\uffef]{1,400})"
    r"|((?<![\w/.~-])(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@+-]+(?:[/\\][\w.@+-]+){0,40})"
    r"|(\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)"
    r"|(\b[A-Z][A-Z0-9]{1,9}-\d{1,9}\b)"
    r"|(\b(?=[a-z_]{0,20}\d)[a-z]{1,12}_[0-9A-Za-z]{4,64}\b)"
    r"|(\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,64}\b)"
    r"|(\b[\w-]{1,80}\.(?:csv|tsv|json|jsonl|parquet|xlsx|sql|py|md|txt|log|yml|yaml|toml|db|sqlite|html|pdf|png)\b)"
)
_TRAILING = ".,;:!?)]}\u3002\uff0c\uff1b"


def identifiers(text: str, found_max: int = IDENTIFIERS_OF_A_MESSAGE_MAX) -> list[str]:
    """List the identifiers of a text, each once, in order."""
    found: dict[str, None] = {}
    matches = (match for end in ends(text) for match in _IDENTIFIER.finditer(end))
    for match in matches:
        name = next(group for group in match.groups() if group).rstrip(_TRAILING)
        if 1 < len(name) <= PIN_CHARS_MAX:
            found[name] = None
        if len(found) >= found_max:
            break
    return list(found)
