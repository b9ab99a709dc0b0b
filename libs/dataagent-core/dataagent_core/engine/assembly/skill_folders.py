"""Where the skills of an agent are on this host, and where its tools and commands find them.

The folders come from the agent's `SkillSource`. Each is mounted read-only at `/skills/{scope}/`,
for file tools by `agent_folders.py`, for commands and Python by `sandboxes.py`.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from dataagent_core.config.paths import PERSON_SKILLS, PROJECT_SKILLS
from dataagent_core.engine.config import AgentConfig
from dataagent_core.sandbox.bubblewrap.shown_folders import ShownFolder, open_shown_folder
from dataagent_core.sandbox.paths.path_masks import FindMasks
from dataagent_core.skills import SkillScope, SkillSource
from dataagent_core.skills.built_in_skills import built_in_folder
from dataagent_core.skills.offer.skill_tool import SKILL_TOOL
from dataagent_core.skills.skill_folder import FolderSkills


def make_skill_source(config: AgentConfig, agent_dir: Path, workspace: Path) -> SkillSource | None:
    """Return the skills of an agent; None if it has none, or not the tool for them."""
    if not config.enable_skills or SKILL_TOOL in config.withheld_tools:
        return None
    return config.skills or FolderSkills(
        {
            SkillScope.SYSTEM: built_in_folder(),
            SkillScope.TENANT: agent_dir / PERSON_SKILLS,
            SkillScope.PROJECT: workspace / PROJECT_SKILLS,
        }
    )


def make_shown_folders(
    folders: Mapping[SkillScope, Path], workspace: Path, make_finder: Callable[[str], FindMasks]
) -> dict[SkillScope, ShownFolder]:
    """Say where each tier's folder is shown; `make_finder` says what of it is covered there.

    One that is named inside the workspace must really be there: a project may come with a link to
    a folder of the person who opened it.
    """
    root = workspace.resolve()
    return {
        scope: ShownFolder(
            source=folder,
            dest=f"/skills/{scope}",
            within=root
            if folder.is_relative_to(workspace) or folder.is_relative_to(root)
            else None,
            find_masks=make_finder(f"/skills/{scope}"),
        )
        for scope, folder in folders.items()
    }


def is_there(folder: ShownFolder) -> bool:
    """Say whether a folder exists and may be shown. It blocks."""
    descriptor = open_shown_folder(folder)
    if descriptor is None:
        return False
    os.close(descriptor)
    return True
