"""`dataagent demo`: the guided run that needs no key, no network and no terminal."""

from pathlib import Path

import click


@click.command()
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    help="Directory to work in; by default a fresh temporary one.",
)
def demo(workspace: Path | None) -> int:
    """Watch a complete run: a plan, files, an approval, a diff, an answer."""
    import asyncio

    from dataagent_cli import wiring
    from dataagent_cli.run.demo import play_demo

    return asyncio.run(play_demo(wiring.start(), workspace))
