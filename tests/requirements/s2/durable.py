"""S2's second §11.5: runs on Temporal, their markers and records. Listed as §11.7."""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import TEMPORAL, implemented, planned

DURABLE: tuple[Requirement, ...] = (
    *implemented(
        {
            "11.7-checkpoints": "Each of the five kinds of checkpoint is written at its event.",
            "11.7-run": "A run leaves its checkpoints in order.",
            "11.7-records": "A tool execution has input, output, step number and duration.",
        }
    ),
    *planned(
        TEMPORAL,
        {
            "11.7-workflow": "AgentExecutionWorkflow drives a run step by step, up to max_steps.",
            "11.7-activities": "execute_react_step, save_event and save_checkpoint are activities.",
            "11.7-input": "AgentInput and AgentState have the document's fields.",
            "11.7-signals": "A person's input reaches the workflow as a signal.",
        },
    ),
)
