"""Makes the errors of refused SQL: one sentence naming the construct, then what to do."""

from collections.abc import Iterable

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.privacy.failure_text import remove_values
from dataagent_core.tools.definition.name_suggestions import describe_unknown_name

# The most of a caller's text that a message repeats.
_QUOTED_CHARS_MAX = 80


def quote_short(text: str) -> str:
    """Quote a piece of the caller's text, not all of a long one."""
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED_CHARS_MAX else line[: _QUOTED_CHARS_MAX - 1] + "…"


def make_not_allowed_error(
    construct: str, way_out: str, way_out_for_person: str | None = None
) -> QueryRefusedError:
    """Make the error of a construct that a reading query does not need.

    If the advice names a tool, a person, who has no tools, gets another advice.
    """
    message, for_person = (
        f"{construct} cannot be used here: {way}."
        for way in (way_out, way_out_for_person or way_out)
    )
    return QueryRefusedError(message, for_person)


def make_no_table_error(
    name: str, known: Iterable[str], *, hidden: bool = False, note: str | None = None
) -> QueryRefusedError:
    """Make the same error for a hidden and a missing table, except for the person.

    `note` is why a file of that name is no table.
    """
    if note is not None:
        why = f"There is no table '{quote_short(name)}', because of its file."
        # A note may quote a line of the file.
        return QueryRefusedError(f"{why} {remove_values(note)}.", f"{why} {note}.")
    problem = f"There is no table '{quote_short(name)}'."
    message, for_person = describe_unknown_name(
        problem, name.rpartition(".")[2], known, "data_search_catalog finds tables by words."
    )
    hidden_one = (
        f"The table '{quote_short(name)}' is hidden: the source's owner took it out of "
        "reach of every "
        "query. Ask them to show it if it is needed."
    )
    return QueryRefusedError(message, hidden_one if hidden else for_person)


def make_no_column_error(
    name: str, known: Iterable[str], *, hidden: bool = False
) -> QueryRefusedError:
    """Make the same error for a hidden and a missing column, except for the person."""
    problem = f"There is no column '{quote_short(name)}' here."
    message, for_person = describe_unknown_name(
        problem, name.rpartition(".")[2], known, "data_describe lists a table's columns."
    )
    hidden_one = (
        f"The column '{quote_short(name)}' is hidden: the source's owner took it out of "
        "reach of every "
        "query. Ask them to show it if it is needed."
    )
    return QueryRefusedError(message, hidden_one if hidden else for_person)
