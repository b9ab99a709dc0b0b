"""Work plans (S2 §6): how complex a message is, what a plan is, and how people change one.

It holds values and decisions alone. What makes a plan and carries it out is in `engine/loops/`.
"""

from dataagent_core.planning.complexity import QueryComplexity, classify
from dataagent_core.planning.plan_edits import PlanEdit, apply_edits, read_edits
from dataagent_core.planning.plan_log import edit_plan, read_plan
from dataagent_core.planning.plan_projection import fold_plan
from dataagent_core.planning.work_plan import PlanStatus, PlanStep, StepStatus, WorkPlan

__all__ = [
    "PlanEdit",
    "PlanStatus",
    "PlanStep",
    "QueryComplexity",
    "StepStatus",
    "WorkPlan",
    "apply_edits",
    "classify",
    "edit_plan",
    "fold_plan",
    "read_edits",
    "read_plan",
]
