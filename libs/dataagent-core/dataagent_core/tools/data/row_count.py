"""Formats a number of rows for a sentence."""


def format_row_count(count: int) -> str:
    """Write `1 row` or `2 rows`."""
    return f"{count} row{'' if count == 1 else 's'}"
