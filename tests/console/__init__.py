"""Walks through the console: Chromium, the real server in its own process, a scripted model.

`installation.py` is the server that can be killed and started again at its port, `visitor.py` somebody in
front of a browser, `watching.py` what no page may do, `chat.py` the words of the chat page.
Every walk keeps its screenshots below `.run/console`, or where DATAAGENT_SCREENSHOTS says.
"""
