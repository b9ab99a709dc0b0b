"""What a model is told when an engine fails: engines quote the values they stumble over.

A query that reads something personal keeps only the first words of the engine's text, and of
these only such as engines use; of any other, values in quotes are taken out, except those the
query itself holds. What speaks of the query alone passes, and so do sentences of our own. The
person is told everything (`for_person`).
"""

import re
from typing import Final

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.privacy.cell_masks import scrub_text

# Words of the engines, and of the sentences that inside/ makes of them; no word is a value.
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
# DuckDB says these before it has read a row: they speak of the query alone.
_OF_THE_QUERY: Final = ("Binder Error:", "Catalog Error:", "Parser Error:")
_WORD: Final = re.compile(r"\s*([A-Za-z]+[0-9]{0,2})[:,.]?(?=\s|$)")
_QUOTED: Final = re.compile(r"'([^'\n]{3,})'|\"([^\"\n]{3,})\"|`([^`\n]{3,})`")
# PostgreSQL tells rows and keys in brackets, DuckDB the line of a file it could not read.
_ROWS: Final = re.compile(
    r"(?<=\)=)\(.*\)|(?<=contains )\(.*\)|(?<=Original Line:).*", re.IGNORECASE
)
_LEFT_OUT: Final = "…"


def redact_failure(
    error: QueryFailedError, sql: str = "", *, personal: bool = False
) -> QueryFailedError:
    """Give the same failure with a message for a model; the person's stays as it was."""
    if not error.said or error.said.startswith(_OF_THE_QUERY):
        return error
    told = keep_first_words(error.said) if personal else remove_values(error.said, sql)
    message = str(error).replace(error.said, told)
    return QueryFailedError(message, error.for_person, said=told)


def keep_first_words(said: str) -> str:
    """Keep what an engine says before it comes to a value."""
    end = 0
    while (word := _WORD.match(said, end)) and word.group(1).lower() in _ENGINE_WORDS:
        end = word.end()
    beginning = said[:end].strip() or "the engine refused a value"
    return (
        f"{beginning}{_LEFT_OUT} (the rest of the engine's text is hidden from you, because the "
        "query reads personal columns; a person who runs it sees it)"
    )


def remove_values(said: str, sql: str = "") -> str:
    """Take out what is quoted, unless the query says it too."""

    def blanked(found: re.Match[str]) -> str:
        whole, inner = found.group(), next(part for part in found.groups() if part)
        return whole if inner in sql else f"{whole[0]}{_LEFT_OUT}{whole[-1]}"

    return scrub_text(_QUOTED.sub(blanked, _ROWS.sub(_LEFT_OUT, said)))
