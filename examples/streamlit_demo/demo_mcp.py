"""The MCP tab: your servers with delete, a form to add one, examples."""

import json
from typing import Any

import streamlit as st
from demo_api import Api, ApiProblem
from demo_form import FormProblem, server_of
from demo_texts import Texts

_SIGNS = {"connected": "🟢", "connecting": "🟡", "needs_auth": "🟡"}
_EXAMPLES: dict[str, dict[str, Any]] = {
    "example_files": {
        "name": "filesystem",
        "command": "npx",
        "args": ["-y", "@modelcontextprotocol/server-filesystem", "/uploads"],
    },
    "example_database": {
        "name": "database",
        "command": "uvx",
        "args": ["mcp-server-sqlite", "--db-path", "/uploads/shop.db"],
    },
    "example_custom": {
        "name": "mine",
        "command": "python",
        "args": ["/uploads/my_server.py"],
        "env": {"TOKEN": "…"},
    },
    "example_url": {"name": "remote", "url": "https://mcp.example.com/mcp"},
}


def mcp_tab(api: Api, t: Texts) -> None:
    """Draw the tab."""
    st.subheader(t["mcp_title"])
    if told := st.session_state.pop("mcp_told", None):
        st.success(told)
    _list(api, t)
    _add_form(api, t)
    with st.expander(t["examples"]):
        for name, example in _EXAMPLES.items():
            st.markdown(f"**{t[name]}**")
            st.code(json.dumps(example, indent=2, ensure_ascii=False), language="json")


def _list(api: Api, t: Texts) -> None:
    st.button(t["refresh"], key="mcp_refresh")
    try:
        servers = api.mcp_servers()
    except ApiProblem as problem:
        st.error(str(problem))
        return
    if not servers:
        st.info(t["empty"])
    # Numbered: what a server answers need not be unique.
    for number, server in enumerate(servers):
        _server(api, t, number, server)


def _server(api: Api, t: Texts, number: int, server: dict[str, Any]) -> None:
    name, status = server["name"], str(server.get("status", ""))
    with st.expander(f"🔧 {name}  {_SIGNS.get(status, '🔴')} {status}"):
        st.code(json.dumps(server, indent=2, ensure_ascii=False), language="json")
        if st.button(t["delete"], key=f"mcp_delete_{number}"):
            st.session_state["mcp_deleting"] = name
        if st.session_state.get("mcp_deleting") == name:
            _ask_delete(api, t, number, name)


def _ask_delete(api: Api, t: Texts, number: int, name: str) -> None:
    st.warning(t["delete_sure"].format(name=name))
    if st.button(t["delete_yes"].format(name=name), key=f"mcp_delete_yes_{number}"):
        try:
            api.delete_mcp_server(name)
        except ApiProblem as problem:
            st.error(str(problem))
            return
        del st.session_state["mcp_deleting"]
        _tell_after_reload(t["deleted"].format(name=name))
    if st.button(t["keep"], key=f"mcp_keep_{number}"):
        del st.session_state["mcp_deleting"]
        st.rerun()


def _add_form(api: Api, t: Texts) -> None:
    # What was typed stays until it was taken: a form that clears itself would lose it.
    if st.session_state.pop("mcp_taken", False):
        for name in ("name", "command", "url", "args", "env"):
            st.session_state[f"mcp_{name}"] = ""
    with st.form("mcp_add", clear_on_submit=False):
        st.markdown(f"**{t['add_title']}**")
        typed: dict[str, Any] = {
            "name": st.text_input(t["name"], key="mcp_name"),
            "command": st.text_input(t["command"], key="mcp_command"),
            "url": st.text_input(t["or_url"], key="mcp_url"),
            "args": st.text_input(t["args"], key="mcp_args", placeholder='["-y", "server"]'),
            "env": st.text_input(t["env"], key="mcp_env", placeholder='{"TOKEN": "…"}'),
            "disabled": st.checkbox(t["disabled"], key="mcp_disabled"),
        }
        sent = st.form_submit_button(t["add"])
    if not sent:
        return
    try:
        server = server_of(t, **typed)
        api.add_mcp_server(server)
    except (FormProblem, ApiProblem) as problem:
        st.error(str(problem))
        return
    st.session_state["mcp_taken"] = True
    _tell_after_reload(t["added"].format(name=server["name"]))


def _tell_after_reload(text: str) -> None:
    st.session_state["mcp_told"] = text
    st.rerun()
