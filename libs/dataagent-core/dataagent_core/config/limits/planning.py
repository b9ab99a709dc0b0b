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
# What the agent itself may say of its step.
FINISH_RESULT_CHARS_MAX: Final = 40_000
STEP_NAMES_MAX: Final = 20
STEP_NAME_CHARS_MAX: Final = 100

# The defaults of settings (S2 §6.4, §13, C.2.8).
PLANNING_TIMEOUT_MS: Final = 5_000
PLANNING_TIMEOUT_MS_MAX: Final = 600_000
CONCURRENT_STEPS: Final = 5
CONCURRENT_STEPS_MAX: Final = 20
# How often the steps that are left are planned again after one failed.
PLAN_REPLANS: Final = 2
PLAN_REPLANS_MAX: Final = 10
# How long the agent itself may work on a step, and in how many turns.
STEP_TIMEOUT_S: Final = 1_800.0
STEP_TURNS: Final = 30
# A plan of more steps, or one that is less sure, is put to a person who is there.
PLAN_ASK_STEPS: Final = 3
PLAN_ASK_CONFIDENCE: Final = 0.8
# A step that takes more is a risk that a person is asked about.
STEP_RISK_BYTES: Final = 1_000_000_000
STEP_RISK_DURATION_MS: Final = 600_000
# How long the thinking and each review of a staged loop may take: they write more than a plan.
STAGE_TIMEOUT_MS: Final = 30_000
# How often a review may send work back (S3).
REVIEW_ROUNDS: Final = 2
REVIEW_ROUNDS_MAX: Final = 10

# What a planner reads and answers.
PLANNER_MESSAGE_CHARS_MAX: Final = 12_000
PLANNER_HISTORY_CHARS_MAX: Final = 6_000
PLANNER_NAMES_MAX: Final = 200
PLANNER_ANSWER_TOKENS_MAX: Final = 4_000
PLANNER_ANSWER_CHARS_MAX: Final = 200_000
REVIEW_ANSWER_TOKENS_MAX: Final = 4_000
REASON_ANSWER_TOKENS_MAX: Final = 2_000
REVIEW_RESULTS_CHARS_MAX: Final = 24_000
# How often a turn looks at its plan again, because others have changed it meanwhile.
PLAN_ROUNDS_MAX: Final = 100
