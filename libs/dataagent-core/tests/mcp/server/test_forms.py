"""Questions as forms, and their answers as decisions: pure, whatever a client sends."""

from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.events.hitl import HumanRequestKind
from dataagent_core.hitl.decisions import check_decision
from dataagent_core.mcp.server.form_request import decision_from, form_for

KINDS = get_args(HumanRequestKind)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=5,
)
contents = st.none() | st.dictionaries(
    st.sampled_from(["decision", "answer", "x"]), anything, max_size=3
)


@given(st.sampled_from(KINDS), st.sampled_from(["accept", "decline", "cancel"]), contents)
def test_an_answer_always_fits_its_question(
    kind: HumanRequestKind, action: str, content: dict[str, Any] | None
):
    request = {"kind": kind, "action_requests": [], "options": []}
    if form_for(request) is None:
        return
    decision = decision_from(request, action, content)
    if decision is not None:
        check_decision(kind, decision)
    approved = decision is not None and decision["type"] == "approve"
    said_yes = action == "accept" and (content or {}).get("decision") == "approve"
    assert approved == (said_yes and kind in {"approval", "budget"})


def test_a_question_shows_what_would_be_done_and_why():
    action = {"name": "sql_write", "args": {"sql": "DELETE FROM t", "expected_rows": 3}}
    form = form_for({"kind": "approval", "action_requests": [action], "context": "3 rows go"})
    assert form is not None
    assert "DELETE FROM t" in form.message
    assert "3 rows go" in form.message
    assert form.schema["properties"]["decision"]["enum"] == ["approve", "decline"]


def test_options_are_named_but_free_words_are_taken():
    options = [{"label": "Rome"}, {"label": "Oslo"}]
    request = {"kind": "decision", "question": "Which city?", "options": options}
    form = form_for(request)
    assert form is not None
    assert "Rome, Oslo" in form.schema["properties"]["answer"]["description"]
    assert decision_from(request, "accept", {"answer": "Bern"}) == {
        "type": "answer",
        "answer": "Bern",
    }


def test_a_sign_in_is_not_asked_by_a_form():
    assert form_for({"kind": "oauth", "question": "Sign in"}) is None


def test_a_request_for_the_model_that_a_form_cannot_show_whole_is_not_asked_in_one():
    def request(text: str) -> dict[str, Any]:
        args = {"server": "desk", "messages": [{"role": "user", "text": text}]}
        action = {"name": "mcp__local_desk__sampling/createMessage", "args": args}
        return {"kind": "approval", "action_requests": [action], "context": "why"}

    shown = form_for(request("Say hello."))
    assert shown is not None
    assert "Say hello." in shown.message
    assert form_for(request("x" * 4_000)) is None
