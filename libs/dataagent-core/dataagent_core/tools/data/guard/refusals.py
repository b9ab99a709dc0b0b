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
    """Refuse something SQL can say and a reading query has no need of.

    Where the way out is a tool, a person, who has none, is told another.
    """
    told, shown = (
        f"{construct} cannot be used here: {way}."
        for way in (way_out, way_out_for_person or way_out)
    )
    return QueryRefusedError(told, shown)


def make_no_table_error(
    name: str, known: Iterable[str], *, hidden: bool = False, note: str | None = None
) -> QueryRefusedError:
    """Say the same of a table that is hidden and of one that does not exist; not to the person.

    `note` is why a file of that name is no table.
    """
    if note is not None:
        why = f"There is no table '{quote_short(name)}', because of its file."
        # A note may quote a line of the file.
        return QueryRefusedError(f"{why} {remove_values(note)}.", f"{why} {note}.")
    problem = f"There is no table '{quote_short(name)}'."
    told, shown = describe_unknown_name(
        problem, name.rpartition(".")[2], known, "data_search_catalog finds tables by words."
    )
    hidden_one = (
        f"The table '{quote_short(name)}' is hidden: the source's owner took it out of "
        "reach of every "
        "query. Ask them to show it if it is needed."
    )
    return QueryRefusedError(told, hidden_one if hidden else shown)


def make_no_column_error(
    name: str, known: Iterable[str], *, hidden: bool = False
) -> QueryRefusedError:
    """Say the same of a column that is hidden and of one that does not exist; not to the person."""
    problem = f"There is no column '{quote_short(name)}' here."
    told, shown = describe_unknown_name(
        problem, name.rpartition(".")[2], known, "data_describe lists a table's columns."
    )
    hidden_one = (
        f"The column '{quote_short(name)}' is hidden: the source's owner took it out of "
        "reach of every "
        "query. Ask them to show it if it is needed."
    )
    return QueryRefusedError(told, hidden_one if hidden else shown)
