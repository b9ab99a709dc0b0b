"""Output of the operator's commands: a table for people, JSON lines for programs."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import click

from dataagent_server.cli.serve.texts import say


def show(rows: Iterable[Mapping[str, Any]], *, as_json: bool) -> None:
    """Print rows that have the same fields."""
    texts = [{name: _format_value(value) for name, value in row.items()} for row in rows]
    if as_json:
        for row in texts:
            click.echo(json.dumps(row))
        return
    if not texts:
        click.echo(say("nothing"))
        return
    names = list(texts[0])
    widths = {n: max(len(n), *(len(row[n] or "-") for row in texts)) for n in names}
    for row in ({n: n.upper() for n in names}, *texts):
        click.echo("  ".join((row[n] or "-").ljust(widths[n]) for n in names).rstrip())


def _format_value(value: Any) -> str | None:
    match value:
        case None:
            return None
        case datetime():
            return value.isoformat(timespec="seconds")
        case tuple():
            return ",".join(value)
        case _:
            return str(value)


as_json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
tenant_option = click.option("--tenant", default="local", show_default=True, help="Which tenant.")
