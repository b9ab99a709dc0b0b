"""A composition that cannot work is refused before it is offered, with everything wrong in it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.tools.composition import ToolComposition
from dataagent_core.tools.composition.template_check import check_template


def made(tools: list[str], template: dict[str, Any], **fallbacks: Any) -> ToolComposition:
    return ToolComposition("id", "both", "d", tools, template, fallbacks)


def template(kind: str, *args: dict[str, Any], **inputs: Any) -> dict[str, Any]:
    return {"kind": kind, "inputs": inputs, "steps": [{"args": a} for a in args]}


def nested(levels: int) -> list[Any]:
    made: list[Any] = []
    for _ in range(levels):
        made = [made]
    return made


def beside(*args: dict[str, Any]) -> dict[str, Any]:
    steps = [{"args": a, "beside_previous": True} for a in args]
    return {"kind": "sequential", "steps": steps}


@pytest.mark.requirement("S2-7.4-length")
@given(count=st.integers(0, 12), kind=st.sampled_from(["sequential", "parallel", "conditional"]))
def test_a_composition_has_one_to_five_tools(count: int, kind: str) -> None:
    composition = made(["echo"] * count, template(kind, *({} for _ in range(count))))
    if 1 <= count <= 5:
        assert check_template(composition).kind == kind
    else:
        with pytest.raises(ValidationError, match=f"has {count} tools, and may have 1 to 5"):
            check_template(composition)


@pytest.mark.parametrize(
    ("composition", "message"),
    [
        (made(["a"], {"kind": "random", "steps": []}), "execution_template"),
        (made(["a"], {"kind": "sequential", "steps": [{"arg": {}}]}), "steps.0.arg"),
        (made(["a", "b"], template("sequential", {})), "2 tools and 1 steps"),
        (made(["a"], template("sequential", {"x": "{{input.y}}"})), "is not among its inputs"),
        (made(["a"], template("sequential", {"x": "{{previous}}"})), "does not name an earlier"),
        (
            made(["a"], template("sequential", {"x": "{{oops}}"})),
            "step 1: {{oops}} is no reference",
        ),
        (made(["a", "b"], template("sequential", {}, {"x": "{{step.2}}"})), "an earlier step"),
        (made(["a", "b"], template("parallel", {}, {"x": "{{step.1}}"})), "side by side"),
        (made(["a"], beside({})), "step 1 cannot run beside"),
        (made(["a", "b"], beside({}, {"x": "{{previous}}"})), "step 1 runs at the same time"),
        (made(["a", "b"], beside({}, {"x": "{{step.1}}"})), "step 1 runs at the same time"),
        (made(["a"], template("parallel", {}), z=["a"]), "'z', which is not among its tools"),
        (made(["a"], template("parallel", {}), a="b"), "'a' needs a list of at most 3"),
        (made(["a"], template("parallel", {}), a=["b"] * 4), "'a' needs a list of at most 3"),
        (made(["a"], template("parallel", {}), a=5), "'a' needs a list of at most 3"),
        (made(["a"], template("parallel", {}), a=["b", 5]), "'a' needs a list of at most 3"),
        (made(["a"], template("parallel", {"x": nested(5_000)})), "nested too deep"),
    ],
)
def test_what_cannot_work_is_named(composition: ToolComposition, message: str) -> None:
    with pytest.raises(ValidationError) as error:
        check_template(composition)
    assert str(error.value).startswith("the composition 'both' cannot work: ")
    assert message in str(error.value)


@pytest.mark.parametrize("step", [0, 1, 3])
def test_a_branch_only_leads_forward_so_that_it_ends(step: int) -> None:
    steps = [{"next": [{"step": step}]}, {}]
    with pytest.raises(ValidationError, match=f"step 1 leads to {step}"):
        check_template(made(["a", "b"], {"kind": "conditional", "steps": steps}))


def test_a_condition_may_use_the_step_it_stands_in_but_no_later_one() -> None:
    def steps(value: str) -> dict[str, Any]:
        when = {"value": value, "op": "exists"}
        return {"kind": "conditional", "steps": [{"next": [{"step": 2, "when": when}]}, {}]}

    check_template(made(["a", "b"], steps("{{step.1}}")))
    with pytest.raises(ValidationError, match="earlier step"):
        check_template(made(["a", "b"], steps("{{step.2}}")))
