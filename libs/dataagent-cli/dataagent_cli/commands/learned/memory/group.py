"""`dataagent memory`: list, search, show, add, correct and forget what is remembered."""

from pathlib import Path

import click

from dataagent_cli.output.error_report import errors_as_json

_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
_TYPES = click.Choice(("fact", "preference", "decision", "context"))
_KINDS = click.Choice(("user", "project", "org"))


@click.group()
def memory() -> None:
    """Facts, preferences and decisions that are remembered of you, each with its source."""


@memory.command("list")
@click.option("--type", "type_", type=_TYPES, help="Only of this type.")
@click.option("--scope", "kind", type=_KINDS, help="Only of this scope.")
@click.option("--past", is_flag=True, help="What holds no longer too.")
@_json_option
def list_(type_: str | None, kind: str | None, past: bool, as_json: bool) -> None:
    """List the memories, the ones last recorded first."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.learned.memory.memory_list import list_memories

        asyncio.run(
            list_memories(wiring.start(), type_=type_, kind=kind, past=past, as_json=as_json)
        )


@memory.command()
@click.argument("query")
@click.option("--as-of", metavar="DATE", help="What was true then, as 2026-11-12.")
@click.option(
    "--limit",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="How many memories at most.",
)
@click.option(
    "--by",
    "search_type",
    type=click.Choice(("hybrid", "semantic", "keyword")),
    default="hybrid",
    show_default=True,
    help="What is compared: meanings, words, or both and the graph.",
)
@click.option("--explain", is_flag=True, help="Say what each leg of the search gave.")
@_json_option
def search(  # noqa: PLR0917 (click passes them by name)
    query: str, as_of: str | None, limit: int, search_type: str, explain: bool, as_json: bool
) -> None:
    """Search the memories by words and meaning."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.learned.memory.memory_search import search_memories

        asyncio.run(
            search_memories(
                wiring.start(),
                query,
                as_of=as_of,
                limit=limit,
                search_type=search_type,
                explain=explain,
                as_json=as_json,
            )
        )


@memory.command()
@click.argument("name")
@_json_option
def show(name: str, as_json: bool) -> None:
    """Show a memory: its source, since when it holds, and what it took the place of."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.learned.memory.memory_list import show_memory

        asyncio.run(show_memory(wiring.start(), name, as_json=as_json))


@memory.command()
@click.argument("content")
@click.option(
    "--type",
    "type_",
    type=_TYPES,
    default="fact",
    show_default=True,
    help="What kind of memory it is.",
)
@click.option(
    "--scope",
    "kind",
    type=_KINDS,
    default="user",
    show_default=True,
    help="Where it counts: with this assistant, in this folder, or everywhere.",
)
@click.option("--since", metavar="DATE", help="When it began to be true; now, when not given.")
@click.option("--until", metavar="DATE", help="When it is to be forgotten.")
@_json_option
def add(  # noqa: PLR0917 (click passes them by name)
    content: str, type_: str, kind: str, since: str | None, until: str | None, as_json: bool
) -> None:
    """Remember something; what it contradicts holds no longer."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.learned.memory.memory_changes import add_memory

        asyncio.run(
            add_memory(
                wiring.start(),
                content,
                type_=type_,
                kind=kind,
                since=since,
                until=until,
                as_json=as_json,
            )
        )


@memory.command()
@click.argument("name")
@click.argument("correction", required=False, default="")
@_json_option
def wrong(name: str, correction: str, as_json: bool) -> None:
    """Say that a memory was never true, and what is true instead."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.learned.memory.memory_changes import mark_wrong

        asyncio.run(mark_wrong(wiring.start(), name, correction, as_json=as_json))


@memory.command()
@click.argument("name")
@_yes_option
@_json_option
def forget(name: str, yes: bool, as_json: bool) -> None:
    """Remove a memory with everything that rests on it alone, and show that it is gone.

    The conversation that it comes from stays: `dataagent sessions delete` removes that.
    """
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.learned.memory.memory_changes import forget_memory

        asyncio.run(forget_memory(wiring.start(), name, sure=yes, as_json=as_json))


@memory.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
def export(file: Path | None) -> None:
    """Write all memories, one JSON document in a line, into FILE or to standard output."""
    import asyncio

    from dataagent_cli import wiring
    from dataagent_cli.commands.learned.memory.memory_health import export_memories

    asyncio.run(export_memories(wiring.start(), file))


@memory.command()
@_json_option
def doctor(as_json: bool) -> None:
    """Count the memories that are twice there, stale, without a source, or hold a secret."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.learned.memory.memory_health import examine_memories

        asyncio.run(examine_memories(wiring.start(), as_json=as_json))
