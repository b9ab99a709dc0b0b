"""Limits of skills: the standard's (agentskills.io, S2 appendix D), and those of what is read."""

from typing import Final

# The standard's.
SKILL_NAME_CHARS_MAX: Final = 64
SKILL_DESCRIPTION_CHARS_MAX: Final = 1_024
SKILL_COMPATIBILITY_CHARS_MAX: Final = 500
# A longer SKILL.md is read, with a warning.
SKILL_LINES_MAX: Final = 500

SKILL_FILE_BYTES_MAX: Final = 256_000
# Keys and values of one front matter: reading one takes 0.1 ms.
FRONT_MATTER_VALUES_MAX: Final = 5_000

# One value of S2's fields, as the table of a server stores it.
SKILL_DISPLAY_NAME_CHARS_MAX: Final = 200
SKILL_SUMMARY_CHARS_MAX: Final = 1_000
SKILL_CATEGORY_CHARS_MAX: Final = 50
SKILL_VERSION_CHARS_MAX: Final = 20
SKILL_TAGS_MAX: Final = 50
SKILL_TAG_CHARS_MAX: Final = 50
SKILL_PHRASES_MAX: Final = 100
SKILL_PHRASE_CHARS_MAX: Final = 200
SKILL_PATTERNS_MAX: Final = 50
SKILL_PATTERN_CHARS_MAX: Final = 500
# Of all patterns together (`language/linear_regex.py`).
SKILL_PATTERN_STEPS_MAX: Final = 3_000
SKILL_PATTERN_WEIGHT_MAX: Final = 10.0
SKILL_TOOLS_MAX: Final = 100
# One entry, with what it has in brackets.
SKILL_TOOL_CHARS_MAX: Final = 500
SKILL_METADATA_ENTRIES_MAX: Final = 100

# The folder of a skill, and the skills of one tier.
SKILL_FILES_MAX: Final = 500
SKILL_FILES_DEEP_MAX: Final = 8
SKILL_ONE_FILE_BYTES_MAX: Final = 10_000_000
SKILL_BYTES_MAX: Final = 50_000_000
SKILLS_OF_TIER_MAX: Final = 2_000
# Two changes this close together may carry the same time stamp.
SKILL_STAMP_NS: Final = 20_000_000

# A zip file with a skill; the ratio is of bytes unpacked to bytes packed.
SKILL_ARCHIVE_BYTES_MAX: Final = 50_000_000
SKILL_ARCHIVE_ENTRIES_MAX: Final = 1_000
SKILL_ARCHIVE_RATIO_MAX: Final = 100
# Below this size a file may shrink as much as it likes.
SKILL_ARCHIVE_RATIO_FROM_BYTES: Final = 1_000_000
# Folders of built-in skills that all agents of a process share; in use there is one.
SYSTEM_TIERS_KEPT_MAX: Final = 8
