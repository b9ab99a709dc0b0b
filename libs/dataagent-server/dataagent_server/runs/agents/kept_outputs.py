"""Removes long outputs of users who do not return; an active agent removes its own."""

from pathlib import Path

from dataagent_core.tools.output.output_keeper import remove_old_outputs


def tidy_kept_outputs(home: Path) -> None:
    """Remove old outputs of all users' agents (`agent_builder.py` has the folder). Blocks."""
    for folder in home.glob("people/*/agents/*/artifacts"):
        remove_old_outputs(folder)
