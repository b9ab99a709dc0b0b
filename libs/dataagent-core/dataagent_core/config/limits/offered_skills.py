"""Limits of the skills that are offered to a model."""

from typing import Final

# The line of one skill in a prompt with its line break, and all lines of the list.
SKILL_LINE_TOKENS_MAX: Final = 60
SKILL_LIST_TOKENS_MAX: Final = 3_000
# How many skills a search shows.
SKILLS_FOUND_MAX: Final = 10
# The files of a skill that are named when it is loaded.
SKILL_FILES_SHOWN_MAX: Final = 40
# Runs of an agent whose skills are kept, those that wait for a person included.
SKILL_RUNS_KEPT_MAX: Final = 200
