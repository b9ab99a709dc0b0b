"""Limits of work plans (S2 §6): their steps, their texts, and how long planning may take."""

from typing import Final

# A plan of more steps is not worth following; the planner is told to join steps.
PLAN_STEPS_MAX: Final = 20
PLAN_EDITS_MAX: Final = 50
PLAN_DEPENDENCIES_MAX: Final = 20
STEP_DESCRIPTION_CHARS_MAX: Final = 500
STEP_TEXT_CHARS_MAX: Final = 2_000
# What an event keeps of a step's result; the sub-agent's report itself is a tool result.
STEP_RESULT_CHARS_MAX: Final = 2_000
STEP_NAMES_MAX: Final = 20
STEP_NAME_CHARS_MAX: Final = 100
