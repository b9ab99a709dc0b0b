"""Forgets the long outputs of people who do not come back; an agent at work tidies its own."""

from pathlib import Path

from dataagent_core.tools.output.output_keeper import remove_old_outputs


def tidy_kept_outputs(home: Path) -> None:
    """Tidy what every person's agents keep (`agent_builder.py` says where). Blocks."""
    for folder in home.glob("people/*/agents/*/artifacts"):
        remove_old_outputs(folder)
