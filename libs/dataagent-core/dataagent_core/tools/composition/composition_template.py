"""The form of an `execution_template`: one step for each tool of the composition, in order.

    {"kind": "sequential",
     "inputs": {"city": {"type": "string"}, "days": {"type": "integer", "default": 3}},
     "steps": [{"args": {"name": "{{input.city}}"}},
               {"args": {"lat": "{{previous.lat}}", "days": "{{input.days}}"}}]}

`inputs` are the arguments of the whole, as JSON schemas; one with a `default` may be left out. What
can stand in `{{...}}` is in `template_values.py`. Steps are numbered from 1. In a sequence a step
with `"beside_previous": true` runs at the same time as the step before it. In a conditional
composition a step says where to go next, always forward; with nothing that fits, it ends there:

    {"args": {...}, "next": [{"when": {"value": "{{previous.count}}", "op": "equals", "to": 0},
                              "step": 3},
                             {"on": "failure", "step": 3},
                             {"step": 2}]}
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Operator = Literal["equals", "not_equals", "contains", "greater", "less", "exists"]


class _TemplatePart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Condition(_TemplatePart):
    """A comparison with a result of an earlier step."""

    value: str
    op: Operator
    to: Any = None


class Branch(_TemplatePart):
    """The next step, if the step ended so and the condition holds."""

    step: int
    on: Literal["success", "failure"] = "success"
    when: Condition | None = None


class TemplateStep(_TemplatePart):
    """The template of the arguments of one tool."""

    args: dict[str, Any] = {}


class SequentialStep(TemplateStep):
    """A step after the one before it, or at the same time as that one."""

    beside_previous: bool = False


class ConditionalStep(TemplateStep):
    """A step that chooses the next one; the first branch that matches is taken."""

    next: tuple[Branch, ...] = ()


class _Template(_TemplatePart):
    inputs: dict[str, dict[str, Any]] = {}


class SequentialTemplate(_Template):
    """Steps in order; each may use earlier results."""

    kind: Literal["sequential"]
    steps: tuple[SequentialStep, ...]

    def list_stages(self) -> tuple[tuple[int, ...], ...]:
        """List the numbers of the steps; those of one stage run at the same time."""
        stages: list[tuple[int, ...]] = []
        for number, step in enumerate(self.steps, start=1):
            if step.beside_previous and stages:
                stages[-1] = (*stages[-1], number)
            else:
                stages.append((number,))
        return tuple(stages)


class ParallelTemplate(_Template):
    """All at once; each uses the inputs only."""

    kind: Literal["parallel"]
    steps: tuple[TemplateStep, ...]


class ConditionalTemplate(_Template):
    """From the first step along the branches that match."""

    kind: Literal["conditional"]
    steps: tuple[ConditionalStep, ...]


Template = Annotated[
    SequentialTemplate | ParallelTemplate | ConditionalTemplate, Field(discriminator="kind")
]
