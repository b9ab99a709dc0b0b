"""A run that works by a plan, to be killed: three steps side by side, then one of the agent's own.

The five files are edited by the steps: the first three by sub-agents, the last one by the agent. A
staged run is sent back once by its review, for the fifth file.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dataagent_core.events import from_dict
from dataagent_core.planning import PlanStatus, fold_plan
from dataagent_core.planning.work_plan import StepStatus
from tests.kill.victim import ANSWER, Victim

Json = dict[str, Any]


def _call(name: str, file: str, **args: Any) -> Json:
    return {"name": name, "args": {"file_path": f"/{file}.txt", **args}}


def _edit(*files: str) -> list[Json]:
    """Read some files, edit them one by one, and say so."""
    edits = [_call("edit_file", file, old_string="END", new_string="+END") for file in files]
    return [
        {"tool_calls": [_call("read_file", file) for file in files]},
        *({"tool_calls": [edit]} for edit in edits),
        {"text": f"Edited {', '.join(files)}."},
    ]


def _step(number: int, description: str, *needs: int) -> Json:
    return {"step_number": number, "description": description, "dependencies": needs}


def _plan(*steps: Json) -> list[Json]:
    return [{"text": json.dumps({"confidence": 0.9, "steps": steps})}]


def _verdict(*problems: str) -> list[Json]:
    return [{"text": json.dumps({"accepted": not problems, "problems": problems})}]


WAVE = [_step(1, "SUB one"), _step(2, "SUB two and three"), _step(3, "SUB four")]
WORK = {"one": ["one"], "two": ["two", "three"], "four": ["four"]}


def planned_script(*, staged: bool = False, asked: bool = False) -> Json:
    """Write the model's part. `asked`: a turn goes to the question about the plan."""
    last = _step(4, "edit five", 1, 2, 3)
    parts = [{"match": f"^SUB {name}", "steps": _edit(*files)} for name, files in WORK.items()]
    stages = [
        {"match": r'^\{"goal": "go"\}', "steps": [{"text": "Five files are to be edited."}]},
        {"match": r'^\{"goal": "go", [\s\S]*"round": 0\}$', "steps": _verdict("five is missing")},
        {"match": r'^\{"goal": "go", [\s\S]*"round": 1\}$', "steps": _verdict()},
    ]
    plans = [
        {"match": r'^\{"message"[\s\S]*"first_number": 4', "steps": _plan(last)},
        {"match": r'^\{"message"', "steps": _plan(*WAVE, *([] if staged else [last]))},
    ]
    turns: list[Json] = [{}] * (2 if asked else 1)
    agent = {"steps": [*turns, *_edit("five"), {"text": f"{ANSWER} [steps 1 to 4]"}]}
    hello = {"match": "^hello", "steps": [{"text": "Hello there."}]}
    return {"scripts": [hello, *stages, *plans, *parts, agent]}


@dataclass
class PlannedVictim(Victim):
    """A session whose second run works by a plan."""

    answer: str = f"{ANSWER} [steps 1 to 4]"
    context: Json | None = field(default_factory=lambda: {"planning": {"mode": "always"}})
    rounds: int = 0

    def check(self) -> None:
        super().check()
        events = [from_dict(event) for event in self.events()]
        plan = fold_plan(events)
        assert plan is not None
        assert plan.status is PlanStatus.COMPLETED
        assert [s.step_number for s in plan.steps] == [1, 2, 3, 4]
        assert {s.status for s in plan.steps} == {StepStatus.COMPLETED}
        assert plan.round == self.rounds
        counted = Counter(
            (e["event_type"], e.get("step_number"))
            for e in self.events()
            if e["event_type"] in {"step_start", "step_end"}
        )
        assert counted == {(t, n): 1 for t in ("step_start", "step_end") for n in (1, 2, 3, 4)}
        versions = [e for e in self.events() if e["event_type"] == "work_plan"]
        assert [e["version"] for e in versions] == list(range(1, len(versions) + 1))


@dataclass
class AskedVictim(PlannedVictim):
    """A person is there, and is asked about the plan."""

    context: Json | None = field(
        default_factory=lambda: {"planning": {"mode": "always", "ask": True}}
    )


@dataclass
class StagedVictim(PlannedVictim):
    context: Json | None = field(default_factory=lambda: {"planning": {"loop": "staged"}})
    rounds: int = 1
