"""Where an agent sees its skills: beside its workspace, to be read as files."""

from typing import Final

ASSISTANT_SKILLS: Final = "/skills/assistant/"
PROJECT_SKILLS: Final = "/skills/project/"
