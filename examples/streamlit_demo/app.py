"""A small page over DataAgent's public REST API: a chat and your MCP servers.

    streamlit run examples/streamlit_demo/app.py

It knows the server only by its address and a key, and imports nothing of it.
"""

import os

import streamlit as st
from demo_api import Api
from demo_chat import chat_tab
from demo_mcp import mcp_tab
from demo_texts import LANGUAGES, texts_in


def main() -> None:
    """Draw the page."""
    st.set_page_config(page_title="DataAgent demo", page_icon="🤖")
    with st.sidebar:
        language = st.selectbox("Language / 语言", list(LANGUAGES), key="language")
        t = texts_in(language)
        url = st.text_input(
            t["server"], os.environ.get("DATAAGENT_URL", "http://127.0.0.1:8000"), key="url"
        )
        api_key = st.text_input(
            t["api_key"], os.environ.get("DATAAGENT_API_KEY", ""), type="password", key="api_key"
        )
        st.caption(t["about"])
    st.title("DataAgent")
    chat, mcp = st.tabs([t["chat"], t["mcp"]])
    with Api(url, api_key, t) as api:
        with chat:
            chat_tab(api, t)
        with mcp:
            mcp_tab(api, t)


main()
