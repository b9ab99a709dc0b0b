"""Redacts an engine's error for a model: engines quote the values they fail on.

For a query that reads personal columns, only the first words of the engine's text remain, and only
words that engines use. For other queries, quoted values are removed unless the query itself holds
them. Errors about the query alone pass, and so do our own sentences. The person sees the whole
text (`for_person`).
"""

import re
from typing import Final

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.privacy.cell_masks import scrub_text

# Words of the engines and of the messages of worker_programs/; no word is a value.
_ENGINE_TEXT: Final = """
    a an and any are as at be been by can cannot could did does exceeded expected failed for found
    from given has have held holds in into is it its large list long may more must new no not null
    of on only or out outside past read short small somebody than that the there this to too
    unexpected unknown unsupported use used valid was were when which while with within would wrong
    allowed argument array ask base base64 bigint blob boolean byte bytes cardinality cast casting
    changed character check cidr column columns comparison constraint constraints conversion convert
    data date datetime decimal delimiter digit division double duplicate empty encoding engine entry
    error exists expression failing field fields float foreign format function functions geometry
    group illegal inet input int integer internal interval invalid json key limit literal lock
    malformed match memory mismatch missing mix needs number numeric operation operator overflow
    parse pattern permission precision query range regex regexp regular row rows schema separator
    sequence signed specifier statement stopped string subquery syntax table tables text time
    timeout timestamp timezone token transaction truncated type types unable uncaught underflow
    unicode unique unsigned utf8 uuid value values varchar violates window year zero
"""
_ENGINE_WORDS: Final = frozenset(_ENGINE_TEXT.split())
# DuckDB raises these before it reads a row: they are about the query alone.
_QUERY_ERRORS: Final = ("Binder Error:", "Catalog Error:", "Parser Error:")
_WORD: Final = re.compile(r"\s*([A-Za-z]+[0-9]{0,2})[:,.]?(?=\s|$)")
_QUOTED: Final = re.compile(r"'([^'\n]{3,})'|\"([^\"\n]{3,})\"|`([^`\n]{3,})`")
# PostgreSQL quotes rows and keys in brackets, DuckDB the line of a file it could not read.
_ROWS: Final = re.compile(
    r"(?<=\)=)\(.*\)|(?<=contains )\(.*\)|(?<=Original Line:).*", re.IGNORECASE
)
_LEFT_OUT: Final = "…"


def redact_failure(
    error: QueryFailedError, sql: str = "", *, personal: bool = False
) -> QueryFailedError:
    """Return the error with a message for a model; the person's message stays the same."""
    if not error.said or error.said.startswith(_QUERY_ERRORS):
        return error
    redacted = keep_first_words(error.said) if personal else remove_values(error.said, sql)
    message = str(error).replace(error.said, redacted)
    return QueryFailedError(message, error.for_person, said=redacted)


def keep_first_words(said: str) -> str:
    """Keep the engine's text up to the first value."""
    end = 0
    while (word := _WORD.match(said, end)) and word.group(1).lower() in _ENGINE_WORDS:
        end = word.end()
    beginning = said[:end].strip() or "the engine refused a value"
    return (
        f"{beginning}{_LEFT_OUT} (the rest of the engine's text is hidden from you, because the "
        "query reads personal columns; a person who runs it sees it)"
    )


def remove_values(said: str, sql: str = "") -> str:
    """Remove quoted values, unless the query holds them too."""

    def blank_value(found: re.Match[str]) -> str:
        whole, inner = found.group(), next(part for part in found.groups() if part)
        return whole if inner in sql else f"{whole[0]}{_LEFT_OUT}{whole[-1]}"

    return scrub_text(_QUOTED.sub(blank_value, _ROWS.sub(_LEFT_OUT, said)))
