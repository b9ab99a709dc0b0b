"""Truncates a time to the first day of its grain, in each dialect."""

from typing import Literal

from dataagent_core.tools.data.data_model import Dialect

TimeGrain = Literal["day", "week", "month", "quarter", "year"]

_SQLITE: dict[TimeGrain, str] = {
    "day": "date({0})",
    "week": "date({0}, 'weekday 0', '-6 days')",
    "month": "strftime('%Y-%m-01', {0})",
    "quarter": (
        "printf('%s-%02d-01', strftime('%Y', {0}), "
        "(CAST(strftime('%m', {0}) AS INTEGER) - 1) / 3 * 3 + 1)"
    ),
    "year": "strftime('%Y-01-01', {0})",
}
_MYSQL: dict[TimeGrain, str] = {
    "day": "DATE({0})",
    "week": "DATE(DATE_SUB({0}, INTERVAL WEEKDAY({0}) DAY))",
    "month": "DATE(DATE_FORMAT({0}, '%Y-%m-01'))",
    "quarter": "MAKEDATE(YEAR({0}), 1) + INTERVAL (QUARTER({0}) - 1) * 3 MONTH",
    "year": "MAKEDATE(YEAR({0}), 1)",
}


def truncate_time(grain: TimeGrain, expression: str, dialect: Dialect) -> str:
    """Write the truncated expression; weeks begin on Monday."""
    match dialect:
        case "sqlite":
            return _SQLITE[grain].format(expression)
        case "mysql":
            return _MYSQL[grain].format(expression)
        case "bigquery":
            unit = "WEEK(MONDAY)" if grain == "week" else grain.upper()
            return f"DATE_TRUNC(DATE({expression}), {unit})"
        case "clickhouse":
            mode = (
                "toStartOfWeek({0}, 1)" if grain == "week" else f"toStartOf{grain.title()}({{0}})"
            )
            return mode.format(expression)
        case _:
            return f"CAST(DATE_TRUNC('{grain}', {expression}) AS DATE)"
