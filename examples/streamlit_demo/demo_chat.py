"""The chat tab: words as they come, and what the agent asks before it goes on."""

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

import streamlit as st
from demo_answer import Answer
from demo_api import Api, ApiProblem
from demo_texts import Texts

_QUESTIONS = ("clarification", "decision")
_BUTTONS = {
    "approval": (("approve", "approve"), ("reject", "reject")),
    "budget": (("approve", "approve"), ("reject", "reject")),
    "doom_loop": (("continue", "continue"), ("stop", "stop")),
}


def chat_tab(api: Api, t: Texts) -> None:
    """Draw the tab."""
    state = st.session_state
    state.setdefault("said", [])
    if st.button(t["new_chat"], key="chat_new"):
        for name in ("said", "session_id", "unsent", "asked"):
            state.pop(name, None)
        st.rerun()
    for who, text in state.said:
        with st.chat_message(who):
            st.markdown(text)
    if state.get("asked"):
        _requests(api, t)
    message = st.chat_input(t["ask"], key="chat_input")
    if message:
        state["unsent"] = {"text": message, "key": uuid4().hex}
    if "unsent" not in state:
        return
    if message or state.pop("send_again", False):
        _send(api, t)
    # Whoever is still here was not heard.
    st.warning(t["unsent"].format(text=state["unsent"]["text"]))
    st.button(t["again"], key="chat_again", on_click=_send_again)


def _send_again() -> None:
    st.session_state["send_again"] = True


def _send(api: Api, t: Texts) -> None:
    """Send what waits; it is kept until the server has answered."""
    state = st.session_state
    unsent = state["unsent"]
    with st.chat_message("user"):
        st.markdown(unsent["text"])
    answer = _read(api.chat(unsent["text"], state.get("session_id"), unsent["key"]), t)
    if answer is not None:
        state.said.append(("user", unsent["text"]))
        del state["unsent"]
        _keep(answer)


def _read(events: Iterable[dict[str, Any]], t: Texts) -> Answer | None:
    """Show the words as they come; none when the server said nothing of use."""
    answer = Answer()
    with st.chat_message("assistant"):
        shown = st.empty()
        shown.markdown(t["thinking"])
        try:
            for event in events:
                answer.see(event, t["tool"])
                shown.markdown(answer.text or t["thinking"])
                if answer.ended:
                    return answer
        except ApiProblem as problem:
            shown.error(str(problem) if answer.session_id is None else t["stream_broke"])
            return None
        shown.error(t["stream_broke"])
        return None


def _keep(answer: Answer) -> None:
    state = st.session_state
    if answer.text:
        state.said.append(("assistant", answer.text))
    state["session_id"] = answer.session_id
    state["last_id"] = answer.last_id
    state["asked"] = True
    st.rerun()


def _requests(api: Api, t: Texts) -> None:
    """Show what the agent waits for."""
    try:
        waiting = api.requests(st.session_state["session_id"])
    except ApiProblem as problem:
        st.error(str(problem))
        return
    for number, request in enumerate(waiting):
        _request(api, t, number, request)
    st.session_state["asked"] = bool(waiting)


def _request(api: Api, t: Texts, number: int, request: dict[str, Any]) -> None:
    asked = request.get("request")
    asked = asked if isinstance(asked, dict) else {}
    kind = str(request.get("kind", ""))
    with st.container(border=True):
        st.markdown(f"**{t['request']}**")
        if asked.get("question"):
            st.markdown(str(asked["question"]))
        for action in asked.get("action_requests") or []:
            st.json(action)
        if kind in _QUESTIONS:
            _question(api, t, number, request)
        for word, decision in _BUTTONS.get(kind, ()):
            if st.button(t[word], key=f"ask_{number}_{decision}"):
                _decide(api, t, request, {"type": decision})
        if kind not in (*_QUESTIONS, *_BUTTONS):
            st.info(t["answer_elsewhere"])


def _question(api: Api, t: Texts, number: int, request: dict[str, Any]) -> None:
    options = request["request"].get("options") or []
    labels = [str(one.get("label", "")) for one in options if isinstance(one, dict)]
    with st.form(f"ask_{number}"):
        chosen = st.radio(t["answer"], labels, key=f"ask_{number}_option") if labels else ""
        other = st.text_input(t["other"], key=f"ask_{number}_other")
        if st.form_submit_button(t["answer"]):
            _decide(api, t, request, {"type": "answer", "answer": other.strip() or chosen})


def _decide(api: Api, t: Texts, request: dict[str, Any], decision: dict[str, Any]) -> None:
    state = st.session_state
    try:
        api.answer(str(request.get("interrupt_id", "")), decision)
    except ApiProblem as problem:
        st.error(str(problem))
        return
    answer = _read(api.events_after(state["session_id"], state["last_id"]), t)
    if answer is not None:
        _keep(answer)
