"""A run by a workflow, to be killed: it reads and edits five files, and a model writes one text."""

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from dataagent_core.config.paths import LOCAL_TENANT
from dataagent_core.events import from_dict
from dataagent_core.patterns import InteractionPattern, open_pattern_store
from dataagent_core.patterns.workflow.workflow import (
    Arg,
    Fixed,
    ModelPlace,
    TextTemplate,
    Workflow,
    WorkflowInput,
    WorkflowStep,
)
from dataagent_core.patterns.workflow.workflow_record import with_text
from dataagent_core.patterns.workflow.write_workflow import write_workflow
from dataagent_core.planning import PlanStatus, fold_plan
from dataagent_core.planning.work_plan import StepStatus
from tests.kill.victim import ANSWER, FILES, Victim

PATTERN = "pattern"
LOST = "The agent had to go on."
WRITTEN = ANSWER + " [steps 1 to 10]"


def workflow_script() -> dict[str, Any]:
    """Write the model's part: the text of the last edit, and nothing else."""
    place = [{"text": json.dumps({"new_string": "+END"})}]
    hello = {"match": "^hello", "steps": [{"text": "Hello there."}]}
    agent = {"steps": [{"text": LOST}] * 20}
    return {"scripts": [hello, {"match": r'^\{"request"', "steps": place}, agent]}


def make_workflow() -> Workflow:
    reads = [
        WorkflowStep(tool="read_file", args=_path(name), is_together=name != FILES[0])
        for name in FILES
    ]
    edits = [
        WorkflowStep(
            tool="edit_file",
            args={
                **_path(name),
                "old_string": Fixed("END"),
                "new_string": ModelPlace("Write the new text.")
                if name == FILES[-1]
                else TextTemplate("{{sign}}END"),
            },
            is_together=name == FILES[1],
        )
        for name in FILES
    ]
    return Workflow(
        name="edit",
        pattern_id=PATTERN,
        goal=TextTemplate("go"),
        inputs={"sign": WorkflowInput()},
        steps=(*reads, *edits),
        answer=TextTemplate(WRITTEN),
    )


def _path(name: str) -> dict[str, Arg]:
    return {"file_path": Fixed(f"/{name}.txt")}


@dataclass
class WorkflowVictim(Victim):
    """A session whose second run follows a workflow."""

    answer: str = WRITTEN
    context: dict[str, Any] | None = field(
        default_factory=lambda: {"planning": {"workflow": PATTERN, "inputs": {"sign": "+"}}}
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        now = datetime.now(UTC)
        pattern = InteractionPattern(
            id=PATTERN,
            tenant_id=LOCAL_TENANT,
            name="go",
            description="go",
            signature="s",
            entities=("go",),
            created_at=now,
            updated_at=now,
        )
        store = open_pattern_store(self.home / "patterns.db", LOCAL_TENANT)
        asyncio.run(store.add(with_text(pattern, write_workflow(make_workflow()))))

    def check(self) -> None:
        if self.unknown and self._is_handed_over():
            self._check_handed_over()
            return
        super().check()
        events = self.events()
        plan = fold_plan([from_dict(event) for event in events])
        assert plan is not None
        assert plan.status is PlanStatus.COMPLETED
        assert [s.status for s in plan.steps] == [StepStatus.COMPLETED] * 2 * len(FILES)
        counted = Counter(
            (e["event_type"], e.get("step_number"))
            for e in events
            if e["event_type"] in {"step_start", "step_end"}
        )
        assert set(counted.values()) == {1}
        assert len(counted) == 4 * len(FILES)
        called = [e["tool_name"] for e in events if e["event_type"] == "tool_result"]
        assert called == ["read_file"] * len(FILES) + ["edit_file"] * len(FILES)
        assert not self._is_handed_over()
        used = [e for e in events if e["event_type"] == "pattern_match"]
        assert [e["mode"] for e in used] == ["workflow"]

    def _is_handed_over(self) -> bool:
        return any(e.get("code") == "WORKFLOW_HANDED_OVER" for e in self.events())

    def _check_handed_over(self) -> None:
        """An edit was made, and nobody knows: it fails when it is tried again, which is a surprise."""
        events = self.events()
        assert events[-1]["event_type"] == "done"
        assert (events[-1]["reason"], events[-1]["content"]) == ("completed", LOST)
        results = Counter(e["tool_call_id"] for e in events if e["event_type"] == "tool_result")
        assert set(results.values()) == {1}
        for name in FILES:
            assert (self.workspace / f"{name}.txt").read_text() in {"END", "+END"}
        plan = fold_plan([from_dict(event) for event in events])
        assert plan is not None
        assert plan.status is PlanStatus.FALLBACK
