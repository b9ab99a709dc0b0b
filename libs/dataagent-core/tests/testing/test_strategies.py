"""The strategies give values that the code under test takes."""

from typing import get_args

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from dataagent_core.events.hitl import HumanRequestKind
from dataagent_core.hitl.decisions import ALLOWED, check_decision
from dataagent_core.ids import checked_id
from dataagent_core.session import Message, Session
from dataagent_core.testing.strategies import decisions, messages, sessions


@pytest.mark.parametrize("kind", get_args(HumanRequestKind))
@given(data=st.data())
def test_every_decision_answers_its_kind_of_question(kind: HumanRequestKind, data: st.DataObject):
    decision = data.draw(decisions(kind))
    assert check_decision(kind, decision) == decision


@pytest.mark.parametrize(("kind", "type_"), [(k, t) for k, types in ALLOWED.items() for t in types])
def test_every_fitting_type_of_decision_is_drawn(kind: HumanRequestKind, type_: str):
    assert find(decisions(kind), lambda decision: decision["type"] == type_)


@given(sessions())
def test_a_session_has_an_id_a_person_could_choose_and_moments_in_utc(session: Session):
    assert checked_id(session.session_id, "session id") == session.session_id
    assert session.last_active.utcoffset() is not None


def test_messages_hold_what_breaks_programs():
    def unkind(message: Message) -> bool:
        return any("\ud800" <= character <= "\udfff" for character in message.content)

    assert find(messages(), unkind)
