"""A path as a person writes it. Pure."""

from pathlib import Path

from dataagent_cli.output.sanitize import one_line


def display_path(path: Path) -> str:
    """Write a path, with `~` for the person's home directory."""
    home = Path.home()
    near = path.is_relative_to(home) and path != home
    return one_line(f"~/{path.relative_to(home)}" if near else str(path))
