"""The folders that a project brings along, such as `.dataagent/skills`."""

from pathlib import Path


def is_in_project(folder: Path) -> bool:
    """Say whether `PROJECT/.dataagent/NAME` really is there. It blocks.

    A project may come with a link to a folder of the person who opened it, whose files would then
    be put before a model.
    """
    project = folder.parent.parent
    return folder.resolve().is_relative_to(project.resolve())
