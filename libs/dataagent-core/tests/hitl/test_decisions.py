"""Which answers fit which question."""

from typing import Any

import pytest

from dataagent_core.errors import ValidationError
from dataagent_core.hitl import check_decision


def test_an_always_may_be_saved_to_the_project():
    answer = {"type": "approve", "scope": "always", "save": "project"}
    assert check_decision("approval", answer) == answer


@pytest.mark.parametrize(
    "answer",
    [
        {"type": "approve", "save": "project"},
        {"type": "approve", "scope": "once", "save": "project"},
        {"type": "edit", "args": {}, "scope": "always", "save": "project"},
        {"type": "respond", "message": "no", "save": "project"},
    ],
)
def test_only_an_always_can_be_saved(answer: dict[str, Any]):
    with pytest.raises(ValidationError, match="whose scope is 'always'"):
        check_decision("approval", answer)


@pytest.mark.parametrize("place", ["session", "home", "", None, 1])
def test_there_is_no_other_place_to_save_to(place: object):
    with pytest.raises(ValidationError, match="not a decision"):
        check_decision("approval", {"type": "approve", "scope": "always", "save": place})
